/* SPDX-License-Identifier: BSD-3-Clause */
/* See regions.h. */
#include "regions.h"

#include <sys/mman.h>

#include "types/types.h"

static void set_bounds(struct prof_region *r)
{
    r->low = r->at + (uintptr_t)r->shape.low;
    r->high = r->at + (uintptr_t)r->shape.high;
}

struct prof_region prof_region_bytes(const void *buf, size_t length)
{
    struct prof_region r = {.at = (uintptr_t)buf};
    r.shape.high = r.shape.bytes = (int64_t)length;
    r.shape.runs = 1;
    set_bounds(&r);
    return r;
}

bool prof_region_init(struct prof_region *r, const void *buf, MPI_Count count, MPI_Datatype datatype)
{
    MPI_Count size;
    struct prof_type *type;
    *r = prof_region_bytes(buf, 0);
    if (!prof_type_find(datatype, &size, &type))
        return false;
    if (!type) {
        if (__builtin_mul_overflow(size, count, &size))
            return false;
        *r = prof_region_bytes(buf, (size_t)size);
        r->basic = prof_type_basic(datatype);
        return true;
    }
    const struct prof_shape *shape = prof_type_shape(type);
    if (!shape || !prof_shape_repeat_value(&r->shape, count, type->extent, shape))
        return false;
    r->held = prof_shape_hold(shape);
    r->basic = prof_type_basic(datatype);
    set_bounds(r);
    return true;
}

bool prof_region_adopt(struct prof_region *r, const void *buf, const struct prof_shape *shape)
{
    *r = prof_region_bytes(buf, 0);
    if (!shape)
        return false;
    r->shape = *shape;
    r->held = shape;
    set_bounds(r);
    return true;
}

void prof_region_finish(struct prof_region *r)
{
    prof_shape_drop(r->held);
    r->held = NULL;
}

bool prof_region_is_there(const struct prof_region *r)
{
    enum { PAGE = 4096 };
    if (r->high - r->low <= PAGE)
        return true;
    uintptr_t low = r->low & ~(uintptr_t)(PAGE - 1);
    return msync((void *)low, r->high - low, MS_ASYNC) == 0; /* does nothing but look */
}

bool prof_region_runs_within(const struct prof_region *r, uintptr_t low, uintptr_t high, prof_run_see *see,
                             void *context)
{
    return prof_shape_runs(&r->shape, r->at, low, high, see, context);
}

bool prof_region_runs(const struct prof_region *r, prof_run_see *see, void *context)
{
    return prof_region_runs_within(r, r->low, r->high, see, context);
}

bool prof_region_meet(const struct prof_region *a, const struct prof_region *b, struct prof_run *common)
{
    return prof_shape_meet(&a->shape, a->at, &b->shape, b->at, common);
}

bool prof_region_meets_itself(const struct prof_region *r, struct prof_run *common)
{
    return prof_shape_meets_itself(&r->shape, r->at, common);
}

bool prof_region_touched(const struct prof_region *r, uintptr_t at, size_t length, struct prof_run *common)
{
    struct prof_region access = prof_region_bytes((const void *)at, length);
    return prof_region_meet(r, &access, common);
}

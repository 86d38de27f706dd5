/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Datatypes: see types.h. MPICH writes the size of a builtin type into its handle; the others are
 * looked up once and kept in a hash, by handle, until they are freed. That a type is
 * committed is tried once, by a receive from MPI_PROC_NULL.
 */
#include "types.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/errors_quiet.h"
#include "builtin_types.h"
#include "isp/datatypes.h"

#include "tables/handles.h"

static struct prof_type **table; /* open addressing; a removed entry is REMOVED, until its place is taken
                                    again */
static size_t room, used;        /* used: places that are not NULL */
static struct prof_type *last;   /* looked up */
static struct prof_type removed_;
#define REMOVED (&removed_)

static size_t hash(MPI_Datatype handle) { return ((uint32_t)handle * 2654435761u) >> 4; }

static struct prof_type *lookup(MPI_Datatype handle)
{
    if (last && last->handle == handle)
        return last;
    for (size_t i = hash(handle); room; i++) {
        struct prof_type *t = table[i & (room - 1)];
        if (!t)
            return NULL;
        if (t != REMOVED && t->handle == handle)
            return last = t;
    }
    return NULL;
}

static void insert(struct prof_type *t);

/* Leaves the removed ones out; grows only for those that are there. */
static void rehash(void)
{
    struct prof_type **old = table;
    size_t old_room = room, live = 0;
    for (size_t i = 0; i < old_room; i++)
        live += old[i] && old[i] != REMOVED;
    room = room ? room : 64;
    while (4 * (live + 1) > room)
        room *= 2;
    table = prof_alloc(room, sizeof *table);
    used = 0;
    for (size_t i = 0; i < old_room; i++)
        if (old[i] && old[i] != REMOVED)
            insert(old[i]);
    free(old);
}

static void insert(struct prof_type *t)
{
    if (2 * (used + 1) > room)
        rehash();
    size_t i = hash(t->handle);
    while (table[i & (room - 1)] && table[i & (room - 1)] != REMOVED)
        i++;
    used += !table[i & (room - 1)];
    table[i & (room - 1)] = t;
}

/* Nothing is pending on it any more. */
static void forget(struct prof_type *t)
{
    for (size_t i = hash(t->handle);; i++)
        if (table[i & (room - 1)] == t) {
            table[i & (room - 1)] = REMOVED;
            break;
        }
    if (last == t)
        last = NULL;
    prof_shape_drop(t->shape);
    free(t->rows);
    free(t);
}

static bool is_committed(MPI_Datatype handle)
{
    MPI_Request request = MPI_REQUEST_NULL;
    char nowhere[16];
    prof_errors_quiet(true);
    int rc = prof_errors_heard(PMPI_Irecv(nowhere, 1, handle, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request));
    if (rc == MPI_SUCCESS)
        PMPI_Wait(&request, MPI_STATUS_IGNORE);
    prof_errors_quiet(false);
    return rc == MPI_SUCCESS;
}

bool prof_type_find(MPI_Datatype handle, MPI_Count *size, struct prof_type **entry)
{
    *entry = NULL;
    if (prof_type_is_builtin(handle)) {
        *size = prof_type_builtin_size(handle);
        return true;
    }
    if (handle == MPI_DATATYPE_NULL)
        return false;
    struct prof_type *t = lookup(handle);
    if (!t) {
        MPI_Count bytes;
        if (!is_committed(handle) || PMPI_Type_size_x(handle, &bytes) != MPI_SUCCESS)
            return false;
        t = prof_alloc(1, sizeof *t);
        t->handle = handle;
        t->size = bytes;
        insert(t);
    }
    *size = t->size;
    *entry = t;
    return !t->freed;
}

void prof_type_sign(struct isp_call *call, MPI_Datatype handle, struct prof_type *entry, MPI_Count count)
{
    if (entry && !entry->taken_apart) {
        entry->signature = prof_signature_derived(handle);
        entry->taken_apart = true;
    }
    struct prof_signature s = entry ? entry->signature : prof_signature_builtin(handle);
    call->type = s.type;
    if (__builtin_mul_overflow(s.times, (uint64_t)count, &call->count))
        call->type = ISP_BASIC_NONE;
}

uint32_t prof_type_basic(MPI_Datatype handle)
{
    MPI_Count size;
    struct prof_type *type;
    if (!prof_type_find(handle, &size, &type))
        return ISP_BASIC_NONE;
    struct prof_signature s = !type               ? prof_signature_builtin(handle)
                              : type->taken_apart ? type->signature
                                                  : (struct prof_signature){ISP_BASIC_NONE, 0};
    return s.type < ISP_BASIC_END ? s.type : ISP_BASIC_NONE;
}

const struct prof_shape *prof_type_shape(struct prof_type *entry)
{
    if (!entry->shaped) {
        MPI_Count low;
        prof_errors_quiet(true);
        PMPI_Type_get_extent_x(entry->handle, &low, &entry->extent);
        entry->shape = prof_shape_of_type(entry->handle);
        prof_errors_quiet(false);
        entry->shaped = true;
    }
    return entry->shape;
}

bool prof_type_is_freed(MPI_Datatype handle)
{
    const struct prof_type *t = lookup(handle);
    return t && t->freed;
}

void prof_type_hold(struct prof_type *entry)
{
    if (entry)
        entry->pending++;
}

static int free_inside(struct prof_type *t)
{
    MPI_Datatype handle = t->handle;
    forget(t);
    return PMPI_Type_free(&handle);
}

void prof_type_release(struct prof_type *entry)
{
    if (entry && --entry->pending == 0 && entry->freed)
        free_inside(entry);
}

void prof_types_finish(void)
{
    for (size_t i = 0; i < room; i++)
        if (table[i] && table[i] != REMOVED && table[i]->freed)
            free_inside(table[i]);
}

int prof_type_free(MPI_Datatype *datatype)
{
    MPI_Datatype handle = *datatype;
    struct prof_type *t = lookup(handle);
    if (t && t->freed) { /* a copy of a handle that was freed before */
        MPI_Datatype null = MPI_DATATYPE_NULL;
        return PMPI_Type_free(&null);
    }
    int rc = MPI_SUCCESS;
    if (t && t->pending > 0) {
        t->freed = true;
        *datatype = MPI_DATATYPE_NULL;
    } else {
        rc = PMPI_Type_free(datatype);
        if (rc == MPI_SUCCESS && t)
            forget(t);
    }
    if (rc == MPI_SUCCESS)
        prof_handle_freed(PROF_HANDLE_DATATYPE, (int)handle);
    return rc;
}

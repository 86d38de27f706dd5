/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Taking datatypes apart with MPI_Type_get_contents (MPI-4.0, section 5.1.13), which also serves
 * types that were made in Fortran or before anybody looked.
 *
 * A signature has no displacements. So every constructor but MPI_Type_create_struct is a repetition of its
 * old type, as often as the sizes say. A structure is a sequence of repetitions: a node. What holds only one
 * basic type, or only repetitions of one node, needs no node of its own.
 *
 * Not known: types with more than MOST parts, and structures with MPI_PACKED in them, whose
 * elements nobody can count. They match everything.
 */
#include "signatures.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "builtin_types.h"
#include "isp/datatypes.h"
#include "isp/signature.h"
#include "isp/wire.h"

#include "base/errors_quiet.h"
#include "contents.h"
#include "link/uplink.h"

enum { MOST = 1 << 19 };

/* ---- builtin types: MPICH numbers them in the lowest byte of their handles ---- */

#define INDEX(handle) ((unsigned)(handle)&0xff)
#define BUILTIN(name) [INDEX(MPI_##name)] = {ISP_BASIC_##name, 1}

static const struct {
    uint8_t basic, times;
} builtin[256] = {
    /* clang-format off */
    BUILTIN(BYTE), BUILTIN(PACKED), BUILTIN(CHAR), BUILTIN(SIGNED_CHAR), BUILTIN(UNSIGNED_CHAR),
    BUILTIN(WCHAR), BUILTIN(SHORT), BUILTIN(UNSIGNED_SHORT), BUILTIN(INT), BUILTIN(UNSIGNED), BUILTIN(LONG),
    BUILTIN(UNSIGNED_LONG), BUILTIN(LONG_LONG), BUILTIN(UNSIGNED_LONG_LONG), BUILTIN(FLOAT), BUILTIN(DOUBLE),
    BUILTIN(LONG_DOUBLE), BUILTIN(C_BOOL), BUILTIN(C_FLOAT_COMPLEX), BUILTIN(C_DOUBLE_COMPLEX),
    BUILTIN(C_LONG_DOUBLE_COMPLEX), BUILTIN(INT8_T), BUILTIN(INT16_T), BUILTIN(INT32_T), BUILTIN(INT64_T),
    BUILTIN(UINT8_T), BUILTIN(UINT16_T), BUILTIN(UINT32_T), BUILTIN(UINT64_T),
    BUILTIN(AINT), BUILTIN(OFFSET), BUILTIN(COUNT),
    BUILTIN(CXX_BOOL), BUILTIN(CXX_FLOAT_COMPLEX), BUILTIN(CXX_DOUBLE_COMPLEX),
    BUILTIN(CXX_LONG_DOUBLE_COMPLEX), BUILTIN(CHARACTER), BUILTIN(LOGICAL), BUILTIN(INTEGER), BUILTIN(REAL),
    BUILTIN(DOUBLE_PRECISION), BUILTIN(COMPLEX), BUILTIN(DOUBLE_COMPLEX), BUILTIN(INTEGER1),
    BUILTIN(INTEGER2), BUILTIN(INTEGER4), BUILTIN(INTEGER8), BUILTIN(REAL4), BUILTIN(REAL8), BUILTIN(REAL16),
    BUILTIN(COMPLEX8), BUILTIN(COMPLEX16), BUILTIN(COMPLEX32),
/* clang-format on */
#ifdef MPIX_C_FLOAT16
    [INDEX(MPIX_C_FLOAT16)] = {ISP_BASIC_C_FLOAT16, 1},
#endif
    [INDEX(MPI_2INT)] = {ISP_BASIC_INT, 2},
    [INDEX(MPI_2INTEGER)] = {ISP_BASIC_INTEGER, 2},
    [INDEX(MPI_2REAL)] = {ISP_BASIC_REAL, 2},
    [INDEX(MPI_2DOUBLE_PRECISION)] = {ISP_BASIC_DOUBLE_PRECISION, 2},
};

struct prof_signature prof_signature_builtin(MPI_Datatype handle)
{
    return (struct prof_signature){builtin[INDEX(handle)].basic, builtin[INDEX(handle)].times};
}

/* ---- taking apart ---- */

/* A type: `times` a basic type or a node. `what` 0: nothing, if times is 0, else unknown. */
struct unit {
    uint32_t what;
    uint64_t times;
};

struct part {
    uint64_t count;
    uint32_t what;
};

struct node {
    uint32_t first, n; /* parts */
    struct isp_signature signature;
};

struct known {
    MPI_Datatype handle; /* MPI_DATATYPE_NULL: a free place */
    struct unit unit;
};

/* One type that is being taken apart. Types inside of it that occur often are looked at once. */
struct parse {
    struct node *nodes;
    struct part *parts;
    struct known *known;
    uint32_t n_nodes, n_parts, n_known;
    uint32_t node_room, part_room, known_room;
    bool too_big;
};

static struct known *place(struct known *known, uint32_t room, MPI_Datatype handle)
{
    uint32_t i = ((uint32_t)handle * 2654435761u) >> 8;
    while (known[i & (room - 1)].handle != MPI_DATATYPE_NULL && known[i & (room - 1)].handle != handle)
        i++;
    return &known[i & (room - 1)];
}

static void grow_known(struct parse *p)
{
    uint32_t room = p->known_room ? 2 * p->known_room : 16;
    struct known *more = prof_alloc(room, sizeof *more);
    for (uint32_t i = 0; i < room; i++)
        more[i].handle = MPI_DATATYPE_NULL;
    for (uint32_t i = 0; i < p->known_room; i++)
        if (p->known[i].handle != MPI_DATATYPE_NULL)
            *place(more, room, p->known[i].handle) = p->known[i];
    free(p->known);
    p->known = more;
    p->known_room = room;
}

static void know(struct parse *p, MPI_Datatype handle, struct unit unit)
{
    if (2 * (p->n_known + 1) > p->known_room)
        grow_known(p);
    *place(p->known, p->known_room, handle) = (struct known){handle, unit};
    p->n_known++;
}

static struct isp_signature signature_of(const struct parse *p, uint32_t what)
{
    return what < ISP_TYPE_TOLD ? isp_signature_basic(what) : p->nodes[what - ISP_TYPE_TOLD].signature;
}

/* The parts from `first` on become a node; or none, where one will do. */
static struct unit close_node(struct parse *p, uint32_t first)
{
    uint32_t n = p->n_parts - first;
    struct unit unit = {ISP_BASIC_NONE, 0};
    if (n == 1)
        unit = (struct unit){p->parts[first].what, p->parts[first].count};
    if (n <= 1) {
        p->n_parts = first;
        return unit;
    }
    struct isp_signature all = isp_signature_empty();
    bool unknown = false;
    for (uint32_t i = first; i < p->n_parts; i++) {
        const struct part *x = &p->parts[i];
        unknown |= x->what == ISP_BASIC_NONE || x->what == ISP_BASIC_PACKED;
        all = isp_signature_join(all, isp_signature_repeat(signature_of(p, x->what), x->count));
    }
    if (unknown || all.length == UINT64_MAX) {
        p->n_parts = first;
        return (struct unit){ISP_BASIC_NONE, 1};
    }
    if (p->n_nodes == p->node_room) {
        p->node_room = p->node_room ? 2 * p->node_room : 8;
        p->nodes = prof_grow(p->nodes, p->node_room, sizeof *p->nodes);
    }
    p->nodes[p->n_nodes] = (struct node){first, n, all};
    return (struct unit){ISP_TYPE_TOLD + p->n_nodes++, 1};
}

/* One more part of the node that begins at `first`. */
static void add_part(struct parse *p, uint32_t first, struct unit unit, uint64_t blocklength)
{
    uint64_t count;
    if (unit.times == 0 || blocklength == 0)
        return;
    if (__builtin_mul_overflow(unit.times, blocklength, &count))
        unit.what = ISP_BASIC_NONE, count = 1;
    struct part *last = p->n_parts > first ? &p->parts[p->n_parts - 1] : NULL;
    if (last && last->what == unit.what && !__builtin_add_overflow(last->count, count, &last->count))
        return;
    if (p->n_parts >= MOST) {
        p->too_big = true;
        return;
    }
    if (p->n_parts == p->part_room) {
        p->part_room = p->part_room ? 2 * p->part_room : 16;
        p->parts = prof_grow(p->parts, p->part_room, sizeof *p->parts);
    }
    p->parts[p->n_parts++] = (struct part){count, unit.what};
}

static struct unit take_apart(struct parse *p, MPI_Datatype handle);

static struct unit take_apart_struct(struct parse *p, const struct prof_contents *c)
{
    /* Parts of inner nodes come before those of this one. */
    struct unit *units = prof_alloc((size_t)(c->n_types + 1), sizeof *units);
    for (MPI_Count i = 0; i < c->n_types && !p->too_big; i++)
        units[i] = take_apart(p, c->types[i]);
    uint32_t first = p->n_parts;
    for (MPI_Count i = 0; i < c->n_types && !p->too_big; i++)
        add_part(p, first, units[i], (uint64_t)(c->n_counts ? c->counts[1 + i] : c->ints[1 + i]));
    free(units);
    return close_node(p, first);
}

static struct unit take_apart_repetition(struct parse *p, const struct prof_contents *c, MPI_Datatype handle)
{
    MPI_Count whole = 0, one = 0;
    if (PMPI_Type_size_x(handle, &whole) != MPI_SUCCESS || PMPI_Type_size_x(c->types[0], &one) != MPI_SUCCESS)
        return (struct unit){ISP_BASIC_NONE, 1};
    if (one <= 0 || whole <= 0)
        return (struct unit){ISP_BASIC_NONE, one < 0 || whole < 0};
    struct unit unit = take_apart(p, c->types[0]);
    if (__builtin_mul_overflow(unit.times, (uint64_t)(whole / one), &unit.times))
        return (struct unit){ISP_BASIC_NONE, 1};
    return unit;
}

/* A pair type of MPI_MINLOC (section 6.9.4), or one that this version does not know. */
static struct unit take_apart_named(struct parse *p, MPI_Datatype handle)
{
    static const struct {
        MPI_Datatype pair;
        uint8_t value;
    } pairs[] = {{MPI_FLOAT_INT, ISP_BASIC_FLOAT},
                 {MPI_DOUBLE_INT, ISP_BASIC_DOUBLE},
                 {MPI_LONG_INT, ISP_BASIC_LONG},
                 {MPI_SHORT_INT, ISP_BASIC_SHORT},
                 {MPI_LONG_DOUBLE_INT, ISP_BASIC_LONG_DOUBLE}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].pair == handle) {
            uint32_t first = p->n_parts;
            add_part(p, first, (struct unit){pairs[i].value, 1}, 1);
            add_part(p, first, (struct unit){ISP_BASIC_INT, 1}, 1);
            return close_node(p, first);
        }
    return (struct unit){ISP_BASIC_NONE, 1};
}

/* A type of MPI_Type_create_f90_*, by its size. */
static struct unit take_apart_f90(int combiner, MPI_Datatype handle)
{
    static const struct {
        int combiner, size;
        uint8_t basic;
    } types[] = {
        {MPI_COMBINER_F90_REAL, 4, ISP_BASIC_REAL4},
        {MPI_COMBINER_F90_REAL, 8, ISP_BASIC_REAL8},
        {MPI_COMBINER_F90_COMPLEX, 8, ISP_BASIC_COMPLEX8},
        {MPI_COMBINER_F90_COMPLEX, 16, ISP_BASIC_COMPLEX16},
        {MPI_COMBINER_F90_INTEGER, 1, ISP_BASIC_INTEGER1},
        {MPI_COMBINER_F90_INTEGER, 2, ISP_BASIC_INTEGER2},
        {MPI_COMBINER_F90_INTEGER, 4, ISP_BASIC_INTEGER4},
        {MPI_COMBINER_F90_INTEGER, 8, ISP_BASIC_INTEGER8},
        {MPI_COMBINER_F90_INTEGER, 16, ISP_BASIC_INTEGER16},
    };
    MPI_Count size = 0;
    PMPI_Type_size_x(handle, &size);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].combiner == combiner && types[i].size == size)
            return (struct unit){types[i].basic, 1};
    return (struct unit){ISP_BASIC_NONE, 1};
}

static struct unit take_apart_contents(struct parse *p, MPI_Datatype handle)
{
    struct prof_contents c;
    struct unit unit = {ISP_BASIC_NONE, 1};
    if (prof_contents_get(&c, handle)) {
        switch (c.combiner) {
        case MPI_COMBINER_NAMED: unit = take_apart_named(p, handle); break;
        case MPI_COMBINER_F90_REAL:
        case MPI_COMBINER_F90_COMPLEX:
        case MPI_COMBINER_F90_INTEGER: unit = take_apart_f90(c.combiner, handle); break;
        case MPI_COMBINER_STRUCT:
        case MPI_COMBINER_STRUCT_INTEGER: unit = take_apart_struct(p, &c); break;
        default:
            if (c.n_types == 1)
                unit = take_apart_repetition(p, &c, handle);
        }
    }
    prof_contents_drop(&c);
    return unit;
}

static struct unit take_apart(struct parse *p, MPI_Datatype handle)
{
    if (prof_type_is_builtin(handle)) {
        struct prof_signature s = prof_signature_builtin(handle);
        bool empty = handle == MPI_LB || handle == MPI_UB;
        return (struct unit){s.type, empty ? 0 : s.times ? s.times : 1};
    }
    if (p->known_room) {
        const struct known *k = place(p->known, p->known_room, handle);
        if (k->handle == handle)
            return k->unit;
    }
    struct unit unit = take_apart_contents(p, handle);
    know(p, handle, unit);
    return unit;
}

/* ---- telling ---- */

/* Numbers of the signatures that were told, by open addressing. They stay: a program has few. */
struct told {
    struct isp_signature signature; /* length 0: a free place */
    uint32_t number;
};

static struct told *told;
static uint32_t n_told, told_room;

static struct told *told_place(struct told *table, uint32_t room, struct isp_signature signature)
{
    uint64_t i = signature.hash;
    while (table[i & (room - 1)].signature.length &&
           !isp_signature_equal(table[i & (room - 1)].signature, signature))
        i++;
    return &table[i & (room - 1)];
}

static void grow_told(void)
{
    uint32_t room = told_room ? 2 * told_room : 64;
    struct told *more = prof_alloc(room, sizeof *more);
    for (uint32_t i = 0; i < told_room; i++)
        if (told[i].signature.length)
            *told_place(more, room, told[i].signature) = told[i];
    free(told);
    told = more;
    told_room = room;
}

static void tell(const struct parse *p, uint32_t n_nodes, uint32_t number)
{
    struct isp_buf *b = prof_link_begin(ISP_MSG_TYPE);
    isp_put_u32(b, number);
    isp_put_u32(b, n_nodes);
    for (uint32_t i = 0; i < n_nodes; i++) {
        const struct node *node = &p->nodes[i];
        isp_put_u32(b, node->n);
        for (uint32_t k = node->first; k < node->first + node->n; k++) {
            isp_put_u64(b, p->parts[k].count);
            isp_put_u32(b, p->parts[k].what);
        }
    }
    prof_link_end();
}

/* The number of a node. Only nodes before it can be parts of it. */
static uint32_t number_of(const struct parse *p, uint32_t node)
{
    struct isp_signature signature = p->nodes[node].signature;
    if (2 * (n_told + 1) > told_room)
        grow_told();
    struct told *t = told_place(told, told_room, signature);
    if (!t->signature.length) {
        *t = (struct told){signature, n_told++};
        tell(p, node + 1, t->number);
    }
    return ISP_TYPE_TOLD + t->number;
}

struct prof_signature prof_signature_derived(MPI_Datatype handle)
{
    struct parse p = {0};
    prof_errors_quiet(true);
    struct unit unit = take_apart(&p, handle);
    prof_errors_quiet(false);
    struct prof_signature s = {ISP_BASIC_NONE, 0};
    if (!p.too_big && unit.what != ISP_BASIC_NONE)
        s = (struct prof_signature){unit.what, unit.times};
    if (s.type >= ISP_TYPE_TOLD)
        s.type = number_of(&p, s.type - ISP_TYPE_TOLD);
    free(p.nodes);
    free(p.parts);
    free(p.known);
    return s;
}

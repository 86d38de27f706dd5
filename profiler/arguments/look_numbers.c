/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers whose meaning is that of their function alone: assertions, modes, dimensions, graphs,
 * partitions ... */
#include "look.h"

#include <stdio.h>

#include "calls/completion.h"
#include "calls/persistent.h"
#include "engine/prof.h"

static bool wrong(const struct prof_argument *a, int64_t i, int code, int64_t value, const char *must)
{
    return prof_wrong(ISP_RULE_INVALID_ARGUMENT, code, "%s is %lld, but must be %s", prof_argument_name(a, i),
                      (long long)value, must);
}

static bool within(const struct prof_argument *a, int64_t i, int code, int64_t value, int64_t low,
                   int64_t high)
{
    if (value >= low && value <= high)
        return true;
    return prof_wrong(ISP_RULE_INVALID_ARGUMENT, code, "%s is %lld, but must be from %lld to %lld",
                      prof_argument_name(a, i), (long long)value, (long long)low, (long long)high);
}

static int64_t partner(const struct prof_look *l, const struct prof_argument *a, int64_t i)
{
    struct prof_argument other = *a;
    other.at = a->type;
    return prof_look_value(l, &other, i);
}

/* ---- ranks of a group ---- */

static bool rank_of_group(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t rank)
{
    int size;
    if (PMPI_Group_size((MPI_Group)l->v[a->type], &size) != MPI_SUCCESS || (rank >= 0 && rank < size) ||
        (rank == MPI_PROC_NULL && a->check == PROF_CHECK_RANK_GROUP))
        return true;
    if (size == 0)
        return prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK, "%s is %lld, but this group is empty",
                          prof_argument_name(a, i), (long long)rank);
    return prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK,
                      "%s is %lld, but the ranks of this group are 0 to %d", prof_argument_name(a, i),
                      (long long)rank, size - 1);
}

static bool distinct_rank(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t rank)
{
    if (!rank_of_group(l, a, i, rank))
        return false;
    for (int64_t k = 0; k < i; k++)
        if (prof_look_value(l, a, k) == rank)
            return prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK,
                              "%s is %lld, which is there already, as %s[%lld]", prof_argument_name(a, i),
                              (long long)rank, a->name, (long long)k);
    return true;
}

/* Triples (first, last, stride): array elements of 12 bytes. */
static bool range(const struct prof_look *l, const struct prof_argument *a, int64_t i)
{
    const int *triple = (const int *)(intptr_t)l->v[a->at] + 3 * i;
    char name[80];
    snprintf(name, sizeof name, "%s[%lld]", a->name, (long long)i);
    int size;
    if (triple[2] == 0)
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG, "the stride of %s is 0", name);
    if (PMPI_Group_size((MPI_Group)l->v[a->type], &size) != MPI_SUCCESS)
        return true;
    int64_t steps = ((int64_t)triple[1] - triple[0]) / triple[2], last = triple[0] + steps * triple[2];
    if (steps < 0)
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG,
                          "%s goes from %d to %d with the stride %d, which has no rank", name, triple[0],
                          triple[1], triple[2]);
    int64_t outside = triple[0] < 0 || triple[0] >= size ? triple[0] : last;
    return (outside >= 0 && outside < size) ||
           prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK,
                      "%s has the rank %lld, but the ranks of this group are 0 to %d", name,
                      (long long)outside, size - 1);
}

/* ---- what only the local leader says (MPI_Intercomm_create) ---- */

static bool leads(const struct prof_look *l) { return l->c && l->v[1] == l->c->rank; }

static bool leaders_own(struct prof_look *l, const struct prof_argument *a, int64_t value)
{
    if (!leads(l))
        return true;
    struct prof_argument plain = *a;
    struct prof_look peer = {.d = l->d, .v = l->v, .c = prof_comm_find((MPI_Comm)l->v[a->type])};
    int size;
    switch (a->check) {
    case PROF_CHECK_COMM_LEADER:
        plain.check = PROF_CHECK_COMM;
        return prof_look_comm(&peer, &plain, (MPI_Comm)value);
    case PROF_CHECK_TAG_LEADER:
        return value >= 0 || prof_wrong(ISP_RULE_INVALID_TAG, MPI_ERR_TAG,
                                        "%s is %lld, but must not be negative", a->name, (long long)value);
    default:
        size = peer.c ? peer.c->size : 0;
        return !peer.c || (value >= 0 && value < size) ||
               prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK,
                          "%s is %lld, but the ranks of peer_comm are 0 to %d", a->name, (long long)value,
                          size - 1);
    }
}

/* ---- topologies ---- */

/* The product so far, and with the last one whether the processes are enough (MPI-4.0, section 8.5.1). */
static bool grid(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value)
{
    int64_t product = 1;
    if (value < 0)
        return wrong(a, i, MPI_ERR_DIMS, value, "0 or more");
    for (int64_t k = 0; k <= i; k++)
        if (__builtin_mul_overflow(product, prof_look_value(l, a, k), &product))
            return true;
    if (!l->c || i + 1 < prof_look_length(l, a) || product <= l->c->size)
        return true;
    return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_DIMS,
                      "%s has %lld places, but the communicator has %d rank%s", a->name, (long long)product,
                      l->c->size, l->c->size == 1 ? "" : "s");
}

/* What is not to be computed must divide the number of nodes (MPI-4.0, section 8.5.2). */
static bool factor(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value)
{
    int64_t product = 1, nodes = l->v[a->type];
    if (value < 0)
        return wrong(a, i, MPI_ERR_DIMS, value, "0 or more");
    for (int64_t k = 0; k <= i; k++)
        if (prof_look_value(l, a, k) > 0 &&
            __builtin_mul_overflow(product, prof_look_value(l, a, k), &product))
            return true;
    if (i + 1 < prof_look_length(l, a) || nodes % product == 0)
        return true;
    return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_DIMS,
                      "the given %s have the product %lld, which does not divide nnodes, %lld", a->name,
                      (long long)product, (long long)nodes);
}

static bool coordinate(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value)
{
    enum { MOST = 32 };
    int dims[MOST], periods[MOST], coords[MOST], n;
    if (!l->c || PMPI_Cartdim_get(l->c->handle, &n) != MPI_SUCCESS || n > MOST ||
        PMPI_Cart_get(l->c->handle, n, dims, periods, coords) != MPI_SUCCESS || periods[i])
        return true;
    return within(a, i, MPI_ERR_ARG, value, 0, dims[i] - 1);
}

static bool dimension(const struct prof_look *l, const struct prof_argument *a, int64_t value)
{
    int n;
    if (!l->c || PMPI_Cartdim_get(l->c->handle, &n) != MPI_SUCCESS)
        return true;
    if (a->check == PROF_CHECK_DIRECTION && n == 0)
        return wrong(a, -1, MPI_ERR_DIMS, value, "a dimension, of which this communicator has none");
    return a->check == PROF_CHECK_DIRECTION
               ? within(a, -1, MPI_ERR_DIMS, value, 0, n - 1)
               : value >= n || prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_DIMS,
                                          "%s is %lld, but the communicator has %d dimensions", a->name,
                                          (long long)value, n);
}

static bool nodes(const struct prof_look *l, const struct prof_argument *a, int64_t value)
{
    if (value < 0)
        return wrong(a, -1, MPI_ERR_ARG, value, "0 or more");
    return !l->c || value <= l->c->size ||
           prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG,
                      "%s is %lld, but the communicator has %d rank%s", a->name, (long long)value, l->c->size,
                      l->c->size == 1 ? "" : "s");
}

static bool degrees(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value)
{
    int64_t before = i > 0 ? prof_look_value(l, a, i - 1) : 0;
    return value >= before || prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG,
                                         "%s is %lld, but the entries must not decrease: before it is %lld",
                                         prof_argument_name(a, i), (long long)value, (long long)before);
}

/* ---- partitions ---- */

static bool partition(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value)
{
    const struct prof_persistent *p = prof_persistent_of((MPI_Request)l->v[a->type]);
    if (!p || !p->partitions)
        return true;
    if (!within(a, i, MPI_ERR_ARG, value, 0, p->partitions->n - 1))
        return false;
    if (l->d->fn == ISP_FN_MPI_Pready_range && a->at == 1 && value < l->v[0])
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG,
                          "%s is %lld, which is less than partition_low, %lld", a->name, (long long)value,
                          (long long)l->v[0]);
    return true;
}

/* ---- windows and files ---- */

static int64_t assertions(enum isp_fn fn)
{
    switch (fn) {
    case ISP_FN_MPI_Win_fence:
        return MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
    case ISP_FN_MPI_Win_post: return MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
    default: return MPI_MODE_NOCHECK;
    }
}

static const char *assertion_names(enum isp_fn fn)
{
    switch (fn) {
    case ISP_FN_MPI_Win_fence:
        return "MPI_MODE_NOSTORE, MPI_MODE_NOPUT, MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED";
    case ISP_FN_MPI_Win_post: return "MPI_MODE_NOCHECK, MPI_MODE_NOSTORE and MPI_MODE_NOPUT";
    default: return "MPI_MODE_NOCHECK";
    }
}

static bool assertion(const struct prof_look *l, const struct prof_argument *a, int64_t value)
{
    return !(value & ~assertions(l->d->fn)) ||
           prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ASSERT, "%s is %lld, but this call knows %s only",
                      a->name, (long long)value, assertion_names(l->d->fn));
}

static bool mode(const struct prof_argument *a, int64_t value)
{
    const int64_t access = value & (MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY);
    const int64_t known = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY | MPI_MODE_CREATE |
                          MPI_MODE_EXCL | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN | MPI_MODE_APPEND |
                          MPI_MODE_SEQUENTIAL;
    const char *why = access == 0 || (access & (access - 1))
                          ? "exactly one of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY is needed"
                      : value & ~known ? "it has bits that mean nothing"
                      : access == MPI_MODE_RDONLY && value & (MPI_MODE_CREATE | MPI_MODE_EXCL)
                          ? "MPI_MODE_RDONLY goes with neither MPI_MODE_CREATE nor MPI_MODE_EXCL"
                      : access == MPI_MODE_RDWR && value & MPI_MODE_SEQUENTIAL
                          ? "MPI_MODE_RDWR does not go with MPI_MODE_SEQUENTIAL"
                          : NULL;
    return !why || prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_AMODE, "%s is %lld: %s", a->name,
                              (long long)value, why);
}

static bool one_of(const struct prof_argument *a, int64_t i, int code, int64_t value, const int *values,
                   const char *names)
{
    for (; *values != -1; values++)
        if (value == *values)
            return true;
    return wrong(a, i, code, value, names);
}

#define ONE_OF(code, names, ...) one_of(a, i, code, value, (const int[]){__VA_ARGS__, -1}, names)

/* A class that there is; for a text, one that the program has added (MPI-4.0, section 9.5). */
static bool error_class(const struct prof_argument *a, int64_t value)
{
    int *last, found;
    if (a->check == PROF_CHECK_ADDED_CODE)
        return value > MPI_ERR_LASTCODE ||
               prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG,
                          "%s is %lld, but must be one that the program has added", a->name,
                          (long long)value);
    if (PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &found) != MPI_SUCCESS || !found)
        return true;
    return (value >= 0 && value <= *last) ||
           prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG,
                      "%s is %lld, but the last one in use (MPI_LASTUSEDCODE) is %d", a->name,
                      (long long)value, *last);
}

bool prof_look_number(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value)
{
    int n;
    switch ((enum prof_check)a->check) {
    case PROF_CHECK_NONNEGATIVE: return value >= 0 || wrong(a, i, MPI_ERR_ARG, value, "0 or more");
    case PROF_CHECK_POSITIVE: return value > 0 || wrong(a, i, MPI_ERR_ARG, value, "1 or more");
    case PROF_CHECK_OFFSET: return value >= 0 || wrong(a, i, MPI_ERR_ARG, value, "0 or more");
    case PROF_CHECK_SIZE: return value >= 0 || wrong(a, i, MPI_ERR_SIZE, value, "0 or more");
    case PROF_CHECK_UNIT: return value > 0 || wrong(a, i, MPI_ERR_DISP, value, "1 or more");
    case PROF_CHECK_DISPLACEMENT:
        return value >= 0 || value == MPI_DISPLACEMENT_CURRENT ||
               wrong(a, i, MPI_ERR_ARG, value, "0 or more, or MPI_DISPLACEMENT_CURRENT");
    case PROF_CHECK_SEEK:
        return value >= 0 || l->v[a->type] != MPI_SEEK_SET ||
               wrong(a, i, MPI_ERR_ARG, value, "0 or more with MPI_SEEK_SET");
    case PROF_CHECK_COLOR:
        return value >= 0 || value == MPI_UNDEFINED ||
               wrong(a, i, MPI_ERR_ARG, value, "0 or more, or MPI_UNDEFINED");
    case PROF_CHECK_SPLIT_TYPE:
        return ONE_OF(
            MPI_ERR_ARG,
            "MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_HW_UNGUIDED or MPI_UNDEFINED",
            MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_HW_UNGUIDED,
            MPIX_COMM_TYPE_NEIGHBORHOOD, MPI_UNDEFINED);
    case PROF_CHECK_DISTRIBUTION:
        return ONE_OF(MPI_ERR_ARG, "MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC or MPI_DISTRIBUTE_NONE",
                      MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE);
    case PROF_CHECK_DISTRIBUTION_ARGUMENT:
        return value > 0 || value == MPI_DISTRIBUTE_DFLT_DARG || partner(l, a, i) == MPI_DISTRIBUTE_NONE ||
               wrong(a, i, MPI_ERR_ARG, value, "1 or more, or MPI_DISTRIBUTE_DFLT_DARG");
    case PROF_CHECK_ORDER:
        return ONE_OF(MPI_ERR_ARG, "MPI_ORDER_C or MPI_ORDER_FORTRAN", MPI_ORDER_C, MPI_ORDER_FORTRAN);
    case PROF_CHECK_TYPE_CLASS:
        return ONE_OF(MPI_ERR_ARG, "MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_REAL or MPI_TYPECLASS_COMPLEX",
                      MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_REAL, MPI_TYPECLASS_COMPLEX);
    case PROF_CHECK_LOCK_TYPE:
        return ONE_OF(MPI_ERR_LOCKTYPE, "MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE", MPI_LOCK_SHARED,
                      MPI_LOCK_EXCLUSIVE);
    case PROF_CHECK_WHENCE:
        return ONE_OF(MPI_ERR_ARG, "MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END", MPI_SEEK_SET, MPI_SEEK_CUR,
                      MPI_SEEK_END);
    case PROF_CHECK_SUBSIZE: return within(a, i, MPI_ERR_ARG, value, 1, partner(l, a, i));
    case PROF_CHECK_START: /* sizes stand before the subsizes */
        n = a->type;
        return within(
            a, i, MPI_ERR_ARG, value, 0,
            prof_look_value(
                l, &(struct prof_argument){.at = (int8_t)(n - 1), .flags = a->flags, .bytes = a->bytes}, i) -
                partner(l, a, i));
    case PROF_CHECK_RANK_SIZE:
        return (value >= 0 && value < l->v[a->type]) ||
               prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK, "%s is %lld, but size is %lld", a->name,
                          (long long)value, (long long)l->v[a->type]);
    case PROF_CHECK_RANK_GROUP: return rank_of_group(l, a, i, value);
    case PROF_CHECK_RANK_DISTINCT: return distinct_rank(l, a, i, value);
    case PROF_CHECK_RANGES: return range(l, a, i);
    case PROF_CHECK_DIMENSIONS: return dimension(l, a, value);
    case PROF_CHECK_DIRECTION: return dimension(l, a, value);
    case PROF_CHECK_GRID: return grid(l, a, i, value);
    case PROF_CHECK_COORDINATE: return coordinate(l, a, i, value);
    case PROF_CHECK_FACTORS: return factor(l, a, i, value);
    case PROF_CHECK_NODES: return nodes(l, a, value);
    case PROF_CHECK_DEGREES: return degrees(l, a, i, value);
    case PROF_CHECK_EDGE: return within(a, i, MPI_ERR_ARG, value, 0, l->v[a->type] - 1);
    case PROF_CHECK_PARTITION: return partition(l, a, i, value);
    case PROF_CHECK_ASSERT: return assertion(l, a, value);
    case PROF_CHECK_AMODE: return mode(a, value);
    case PROF_CHECK_NTH:
        return PMPI_Info_get_nkeys((MPI_Info)l->v[a->type], &n) != MPI_SUCCESS || (value >= 0 && value < n) ||
               prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG, "%s is %lld, but info has %d key%s",
                          a->name, (long long)value, n, n == 1 ? "" : "s");
    case PROF_CHECK_ERROR_CLASS:
    case PROF_CHECK_ADDED_CODE: return error_class(a, value);
    case PROF_CHECK_COMM_LEADER:
    case PROF_CHECK_LEADER:
    case PROF_CHECK_TAG_LEADER: return leaders_own((struct prof_look *)l, a, value);
    default: return true;
    }
}

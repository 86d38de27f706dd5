/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks of arguments: see arguments.h. First what others are looked at with (communicators, windows),
 * then in the order of the arguments, buffers last. In a collective only what means something on this rank is
 * looked at (MPI-4.0, chapter 6): the receive arguments of a gather on its root, nothing but the root where
 * it is MPI_PROC_NULL, and not what MPI_IN_PLACE stands for.
 */
#include "arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "engine/errors.h"
#include "engine/prof.h"
#include "files/files.h"
#include "kept/neighbours.h"
#include "link/bindings.h"
#include "link/uplink.h"
#include "look.h"
#include "threads/thread.h"
#include "types/builtin_types.h"
#include "types/types.h"

static __thread struct prof_wrong found __attribute__((tls_model("initial-exec")));

bool prof_wrong(enum isp_rule rule, int code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(found.text, sizeof found.text, format, values);
    va_end(values);
    found.rule = rule;
    found.code = code;
    found.freed.fn = ISP_FN_NONE;
    found.goes_on = false;
    return false;
}

bool prof_wrong_goes_on(void)
{
    found.goes_on = true;
    return false;
}

bool prof_wrong_freed(enum isp_rule rule, int code, const char *name, const struct prof_place *freed)
{
    prof_wrong(rule, code, freed->fn ? "%s was freed by %%0" : "%s was freed", name);
    found.freed = *freed;
    return false;
}

bool prof_wrong_closed(MPI_File file, const char *name, const struct prof_place *closed)
{
    if (file == MPI_FILE_NULL)
        prof_wrong(ISP_RULE_IO_MISUSE, MPI_ERR_FILE,
                   "%s is MPI_FILE_NULL, which MPI_File_close leaves: the last one was %%0", name);
    else
        prof_wrong(ISP_RULE_IO_MISUSE, MPI_ERR_FILE, "%s was closed by %%0", name);
    found.freed = *closed;
    return false;
}

const char *prof_argument_name(const struct prof_argument *a, int64_t i)
{
    static __thread char name[80] __attribute__((tls_model("initial-exec")));
    if (i < 0)
        return a->name;
    snprintf(name, sizeof name, "%s[%lld]", a->name, (long long)i);
    return name;
}

/* ---- arrays ---- */

static int64_t element(const void *array, int64_t i, unsigned bytes)
{
    return bytes == sizeof(int) ? ((const int *)array)[i] : ((const int64_t *)array)[i];
}

int64_t prof_look_value(const struct prof_look *l, const struct prof_argument *a, int64_t i)
{
    return a->flags & PROF_ARGUMENT_ARRAY ? element((const void *)(intptr_t)l->v[a->at], i, a->bytes)
                                          : l->v[a->at];
}

static const struct prof_argument *argument_at(const struct prof_arguments *d, int at)
{
    for (int i = 0; i < d->n; i++)
        if (d->each[i].at == at)
            return &d->each[i];
    return NULL;
}

static int64_t sum_of(const struct prof_look *l, const char *name)
{
    for (int i = 0; i < l->d->n; i++) {
        const struct prof_argument *a = &l->d->each[i];
        if (strcmp(a->name, name) != 0 || !l->v[a->at])
            continue;
        int64_t sum = 0, n = prof_look_length(l, a);
        for (int64_t k = 0; k < n; k++)
            sum += prof_look_value(l, a, k);
        return sum;
    }
    return -1;
}

static int64_t topology_length(const struct prof_look *l, int of)
{
    int in, out, topology, dims;
    MPI_Comm comm = (MPI_Comm)l->v[l->d->comm];
    switch (of) {
    case PROF_OF_SOURCES: return prof_neighbours_count(comm, &in, &out) ? in : -1;
    case PROF_OF_DESTINATIONS: return prof_neighbours_count(comm, &in, &out) ? out : -1;
    case PROF_OF_DIMS:
        PMPI_Topo_test(comm, &topology);
        return topology == MPI_CART && PMPI_Cartdim_get(comm, &dims) == MPI_SUCCESS ? dims : -1;
    default: return -1;
    }
}

/* Of the index of a graph: its last entry says how many edges there are. */
static int64_t edges(const struct prof_look *l)
{
    const int *index = (const int *)(intptr_t)l->v[2];
    int64_t nodes = l->v[1];
    return nodes > 0 && index ? index[nodes - 1] : 0;
}

int64_t prof_look_length(const struct prof_look *l, const struct prof_argument *a)
{
    int size;
    if (a->of >= 0)
        return l->v[a->of];
    switch (a->of) {
    case PROF_OF_PEERS: return l->c ? l->c->size : -1;
    case PROF_OF_MEMBERS: return l->c && PMPI_Comm_size(l->c->handle, &size) == MPI_SUCCESS ? size : -1;
    case PROF_OF_EDGES: return edges(l);
    case PROF_OF_DEGREES: return sum_of(l, "degrees");
    default: return l->d->comm >= 0 ? topology_length(l, a->of) : -1;
    }
}

/* ---- ranks and tags ---- */

static bool wrong_rank(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t rank,
                       int size, const char *also)
{
    const char *name = prof_argument_name(a, i), *what = l->w                  ? "window"
                                                         : l->c && l->c->inter ? "remote group"
                                                                               : "communicator";
    if (rank == MPI_ANY_SOURCE)
        return prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK,
                          "%s is MPI_ANY_SOURCE, which only a receive or a probe may name", name);
    if (rank == MPI_PROC_NULL)
        return prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK,
                          "%s is MPI_PROC_NULL, but must be a rank, 0 to %d", name, size - 1);
    if (size == 1)
        return prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK,
                          "%s is %lld, but the only rank of this %s is 0%s", name, (long long)rank, what,
                          also);
    return prof_wrong(ISP_RULE_INVALID_RANK, MPI_ERR_RANK,
                      "%s is %lld, but the ranks of this %s are 0 to %d%s", name, (long long)rank, what,
                      size - 1, also);
}

static bool check_peer(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t rank,
                       bool any)
{
    if (!l->c || (rank >= 0 && rank < l->c->size) || rank == MPI_PROC_NULL || (any && rank == MPI_ANY_SOURCE))
        return true;
    return wrong_rank(l, a, i, rank, l->c->size,
                      any ? " (or MPI_PROC_NULL or MPI_ANY_SOURCE)" : " (or MPI_PROC_NULL)");
}

/* null: MPI_PROC_NULL is a rank too. */
static bool check_target(const struct prof_look *l, const struct prof_argument *a, int64_t rank, bool null)
{
    if (!l->w || (rank >= 0 && rank < l->w->n) || rank == MPI_PROC_NULL)
        return true;
    return wrong_rank(l, a, -1, rank, l->w->n, null ? " (or MPI_PROC_NULL)" : "");
}

static bool check_member(const struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t rank)
{
    int size;
    if (!l->c || PMPI_Comm_size(l->c->handle, &size) != MPI_SUCCESS || (rank >= 0 && rank < size))
        return true;
    return wrong_rank(l, a, i, rank, size, "");
}

static bool check_root(const struct prof_look *l, const struct prof_argument *a, int64_t root)
{
    if (!l->c || (root >= 0 && root < l->c->size) ||
        (l->c->inter && (root == MPI_ROOT || root == MPI_PROC_NULL)))
        return true;
    const char *name = a->name;
    if (l->c->inter)
        return prof_wrong(
            ISP_RULE_INVALID_ROOT, MPI_ERR_ROOT,
            "%s is %lld, but must be a rank of the remote group, 0 to %d, or MPI_ROOT or MPI_PROC_NULL", name,
            (long long)root, l->c->size - 1);
    if (root == MPI_ROOT || root == MPI_PROC_NULL)
        return prof_wrong(ISP_RULE_INVALID_ROOT, MPI_ERR_ROOT,
                          "%s is %s, which is for intercommunicators only: it must be 0 to %d", name,
                          root == MPI_ROOT ? "MPI_ROOT" : "MPI_PROC_NULL", l->c->size - 1);
    return prof_wrong(ISP_RULE_INVALID_ROOT, MPI_ERR_ROOT,
                      "%s is %lld, but the ranks of this communicator are 0 to %d", name, (long long)root,
                      l->c->size - 1);
}

static bool check_tag(const struct prof_argument *a, int64_t tag, bool any)
{
    if ((tag >= 0 && tag <= prof_tag_ub) || (any && tag == MPI_ANY_TAG))
        return true;
    if (tag == MPI_ANY_TAG)
        return prof_wrong(ISP_RULE_INVALID_TAG, MPI_ERR_TAG,
                          "%s is MPI_ANY_TAG, which only a receive or a probe may name", a->name);
    return prof_wrong(ISP_RULE_INVALID_TAG, MPI_ERR_TAG,
                      "%s is %lld, but must be from 0 to %d, which is MPI_TAG_UB%s", a->name, (long long)tag,
                      prof_tag_ub, any ? " (or MPI_ANY_TAG)" : "");
}

/* ---- buffers ---- */

/* Nothing is there: page 0 is never mapped. */
enum { NOWHERE = 4096 };

/* Data of this type at address 0 would lie where no memory is. A derived type may have absolute addresses
 * (MPI_BOTTOM). */
static bool is_nowhere(MPI_Datatype type)
{
    MPI_Count low, extent;
    if (prof_type_is_builtin(type))
        return prof_type_builtin_size(type) > 0;
    if (PMPI_Type_get_true_extent_x(type, &low, &extent) != MPI_SUCCESS || extent == 0)
        return false;
    return low > -NOWHERE && low < NOWHERE;
}

/* The first count that is not zero, and the type of it; false: there is none, or only MPI knows. */
static bool data_of(const struct prof_look *l, const struct prof_argument *a, int64_t *count,
                    MPI_Datatype *type)
{
    const struct prof_argument *counts = a->of >= 0 ? argument_at(l->d, a->of) : NULL;
    const struct prof_argument *types = argument_at(l->d, a->type);
    *count = 1; /* one, if the function has no count */
    if (a->of >= 0 && !counts)
        return false;
    bool many = counts && counts->flags & PROF_ARGUMENT_ARRAY;
    int64_t n = many ? prof_look_length(l, counts) : 1;
    for (int64_t i = 0; i < n; i++) {
        *count = counts ? prof_look_value(l, counts, i) : 1;
        *type = types ? (MPI_Datatype)prof_look_value(l, types, i) : MPI_BYTE;
        if (*count > 0 && *type != MPI_DATATYPE_NULL && is_nowhere(*type))
            return true;
    }
    return false;
}

static bool may_be_in_place(const struct prof_look *l, const struct prof_argument *a)
{
    const struct prof_arguments *d = l->d;
    if (!d->collective || d->neighbour || (l->c && l->c->inter))
        return false;
    if (a->at == d->sendbuf)
        return d->flow == ISP_FLOW_TO_ROOT ? l->is_root : d->flow != ISP_FLOW_FROM_ROOT;
    return a->at == d->recvbuf && d->flow == ISP_FLOW_FROM_ROOT && d->root >= 0 && l->is_root;
}

static bool wrong_in_place(const struct prof_look *l, const struct prof_argument *a)
{
    const struct prof_arguments *d = l->d;
    const char *why = !d->collective        ? "is for collectives only"
                      : l->c && l->c->inter ? "is not allowed on an intercommunicator"
                      : d->neighbour        ? "is not allowed in a neighborhood collective"
                      : (a->at == d->sendbuf && d->flow == ISP_FLOW_TO_ROOT) ||
                              (a->at == d->recvbuf && d->flow == ISP_FLOW_FROM_ROOT)
                          ? "only the root may pass"
                          : "is not allowed for this buffer";
    return prof_wrong(ISP_RULE_INVALID_BUFFER, MPI_ERR_BUFFER, "%s is MPI_IN_PLACE, which %s", a->name, why);
}

static bool is_exscan(enum isp_fn fn)
{
    return fn == ISP_FN_MPI_Exscan || fn == ISP_FN_MPI_Iexscan || fn == ISP_FN_MPI_Exscan_init;
}

static bool check_buffer(const struct prof_look *l, const struct prof_argument *a, const void *buffer)
{
    int64_t count;
    MPI_Datatype type;
    if (buffer == MPI_IN_PLACE || prof_bindings_in_place(buffer))
        return may_be_in_place(l, a) || wrong_in_place(l, a);
    if (buffer || !data_of(l, a, &count, &type))
        return true;
    if (a->at == l->d->recvbuf && is_exscan(l->d->base) && l->c && l->c->rank == 0)
        return true; /* rank 0 gets nothing (MPI-4.0, section 6.11.2) */
    return prof_wrong(ISP_RULE_INVALID_BUFFER, MPI_ERR_BUFFER, "%s is a null pointer, but its count is %lld",
                      a->name, (long long)count);
}

static bool check_memory(const struct prof_look *l, const struct prof_argument *a, const void *memory)
{
    if (memory == MPI_IN_PLACE)
        return wrong_in_place(l, a);
    if (memory || l->v[a->of] <= 0)
        return true;
    return prof_wrong(ISP_RULE_INVALID_BUFFER, MPI_ERR_BUFFER, "%s is a null pointer, but its size is %lld",
                      a->name, (long long)l->v[a->of]);
}

/* ---- pointers ---- */

static bool null_pointer(const struct prof_argument *a, const char *more)
{
    return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG, "%s is a null pointer%s", a->name, more);
}

static bool check_string(const struct prof_argument *a, const char *text)
{
    if (!text)
        return null_pointer(a, ", but must be a string");
    if (a->check == PROF_CHECK_KEY) {
        size_t n = strnlen(text, MPI_MAX_INFO_KEY + 1);
        if (n == 0 || n > MPI_MAX_INFO_KEY)
            return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_INFO_KEY,
                              n ? "%s has %d characters or more, but MPI_MAX_INFO_KEY is %d" : "%s is empty",
                              a->name, MPI_MAX_INFO_KEY + 1, MPI_MAX_INFO_KEY);
    }
    if (a->check == PROF_CHECK_VALUE && strnlen(text, MPI_MAX_INFO_VAL + 1) > MPI_MAX_INFO_VAL)
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_INFO_VALUE,
                          "%s has more characters than MPI_MAX_INFO_VAL, which is %d", a->name,
                          MPI_MAX_INFO_VAL);
    return true;
}

static bool check_pointer(const struct prof_look *l, const struct prof_argument *a, int64_t value)
{
    const void *pointer = (const void *)(intptr_t)value;
    switch (a->check) {
    case PROF_CHECK_BUFFER: return check_buffer(l, a, pointer);
    case PROF_CHECK_MEMORY: return check_memory(l, a, pointer);
    case PROF_CHECK_STRING:
    case PROF_CHECK_KEY:
    case PROF_CHECK_VALUE: return check_string(a, pointer);
    case PROF_CHECK_STATUS: return pointer || null_pointer(a, ": to have no status pass MPI_STATUS_IGNORE");
    case PROF_CHECK_STATUS_IN:
        if (pointer == (const void *)MPI_STATUS_IGNORE)
            return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG,
                              "%s is MPI_STATUS_IGNORE, but must be a status", a->name);
        return pointer || null_pointer(a, ", but must be a status");
    default: return pointer || null_pointer(a, "");
    }
}

/* ---- one argument ---- */

/* MPICH does not look at the type of a message without elements, nor does envelope.c. */
static bool is_empty_message(const struct prof_look *l, const struct prof_argument *a, int64_t type)
{
    return type == (int64_t)MPI_DATATYPE_NULL && !l->d->collective && l->d->win < 0 && l->d->comm >= 0 &&
           a->at == 2 && l->v[1] == 0;
}

static bool check_value(struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value)
{
    switch (a->check) {
    case PROF_CHECK_COUNT:
        return value >= 0 ||
               prof_wrong(ISP_RULE_INVALID_COUNT, MPI_ERR_COUNT, "%s is %lld, but must not be negative",
                          prof_argument_name(a, i), (long long)value);
    case PROF_CHECK_PEER: return check_peer(l, a, i, value, false);
    case PROF_CHECK_SOURCE: return check_peer(l, a, i, value, true);
    case PROF_CHECK_TARGET: return check_target(l, a, value, true);
    case PROF_CHECK_RANK_WINDOW: return check_target(l, a, value, false);
    case PROF_CHECK_MEMBER: return check_member(l, a, i, value);
    case PROF_CHECK_ROOT: return check_root(l, a, value);
    case PROF_CHECK_TAG: return check_tag(a, value, false);
    case PROF_CHECK_TAG_ANY: return check_tag(a, value, true);
    case PROF_CHECK_TYPE:
        return prof_look_type(a, i, (MPI_Datatype)value, true) ||
               (is_empty_message(l, a, value) && prof_wrong_goes_on());
    case PROF_CHECK_TYPE_ANY: return prof_look_type(a, i, (MPI_Datatype)value, false);
    case PROF_CHECK_OP:
        return prof_look_op(a, (MPI_Op)value, a->type >= 0 ? (MPI_Datatype)l->v[a->type] : MPI_DATATYPE_NULL,
                            l->d->win >= 0);
    default: break;
    }
    if (a->check >= PROF_CHECK_OUT)
        return check_pointer(l, a, value);
    if (a->check <= PROF_CHECK_MESSAGE)
        return prof_look_handle(l, a, i, value);
    return prof_look_number(l, a, i, value);
}

/* What nearly all calls pass, without another call; the rest is looked at closely. */
static inline bool is_ordinary(const struct prof_look *l, const struct prof_argument *a, int64_t value)
{
    switch (a->check) {
    case PROF_CHECK_COUNT: return value >= 0;
    case PROF_CHECK_PEER:
    case PROF_CHECK_SOURCE:
    case PROF_CHECK_ROOT: return l->c && value >= 0 && value < l->c->size;
    case PROF_CHECK_TAG:
    case PROF_CHECK_TAG_ANY: return value >= 0 && value <= prof_tag_ub;
    case PROF_CHECK_TYPE:
    case PROF_CHECK_TYPE_ANY: return prof_type_is_builtin((MPI_Datatype)value);
    case PROF_CHECK_OUT:
    case PROF_CHECK_STATUS:
    case PROF_CHECK_STRING: return value != 0;
    case PROF_CHECK_BUFFER: return value != 0 && value != (intptr_t)MPI_IN_PLACE && !prof_bindings_loaded;
    default: return false;
    }
}

/* An entry of a w collective whose count is 0 says nothing. */
static bool is_idle(const struct prof_look *l, const struct prof_argument *a, int64_t i)
{
    if (a->check != PROF_CHECK_TYPE || a->type < 0)
        return false;
    const struct prof_argument *counts = argument_at(l->d, a->type);
    return counts && prof_look_value(l, counts, i) == 0;
}

static bool check_array(struct prof_look *l, const struct prof_argument *a)
{
    const void *array = (const void *)(intptr_t)l->v[a->at];
    int64_t n = prof_look_length(l, a);
    if (n <= 0)
        return true;
    if (array == MPI_UNWEIGHTED || array == MPI_WEIGHTS_EMPTY || (!array && a->of == PROF_OF_DEGREES))
        return true;
    if (!array)
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_ARG,
                          "%s is a null pointer, but must have %lld %s", a->name, (long long)n,
                          n == 1 ? "entry" : "entries");
    if (a->check == PROF_CHECK_ANY || a->check == PROF_CHECK_OUT || a->check == PROF_CHECK_STATUS)
        return true;
    if (array == (const void *)MPI_STATUSES_IGNORE)
        return true;
    for (int64_t i = 0; i < n; i++) {
        int64_t value = element(array, i, a->bytes);
        if (!is_ordinary(l, a, value) && !is_idle(l, a, i) && !check_value(l, a, i, value))
            return false;
    }
    return true;
}

/* With MPI_NO_OP the origin is not looked at (MPI-4.0, section 12.3.4). */
static bool has_no_origin(const struct prof_look *l)
{
    switch (l->d->base) {
    case ISP_FN_MPI_Get_accumulate:
    case ISP_FN_MPI_Rget_accumulate: return l->v[10] == (int64_t)MPI_NO_OP;
    case ISP_FN_MPI_Fetch_and_op: return l->v[5] == (int64_t)MPI_NO_OP;
    default: return false;
    }
}

/* It means nothing on this rank. */
static bool is_ignored(const struct prof_look *l, const struct prof_argument *a)
{
    const struct prof_arguments *d = l->d;
    if (d->win >= 0 && (a->at == 0 || (a->at < 3 && d->base != ISP_FN_MPI_Fetch_and_op)) && has_no_origin(l))
        return true;
    if (!d->collective)
        return false;
    bool buffer = a->check == PROF_CHECK_BUFFER;
    if (a->flags & PROF_ARGUMENT_SEND)
        return !l->gives ||
               (!buffer && d->sendbuf >= 0 && (void *)(intptr_t)l->v[d->sendbuf] == MPI_IN_PLACE);
    if (a->flags & PROF_ARGUMENT_RECV)
        return !l->takes || (!buffer && d->recvbuf >= 0 && d->flow == ISP_FLOW_FROM_ROOT &&
                             (void *)(intptr_t)l->v[d->recvbuf] == MPI_IN_PLACE);
    if (a->at == d->comm || a->at == d->root || (a->check == PROF_CHECK_OUT && a->of == PROF_OF_NONE))
        return false;
    return l->c && l->c->inter && d->root >= 0 && l->v[d->root] == MPI_PROC_NULL;
}

static bool check_argument(struct prof_look *l, const struct prof_argument *a)
{
    if (!(a->flags & (PROF_ARGUMENT_ARRAY | PROF_ARGUMENT_INDIRECT)) && is_ordinary(l, a, l->v[a->at]))
        return true;
    if (is_ignored(l, a))
        return true;
    if (a->flags & PROF_ARGUMENT_ARRAY)
        return check_array(l, a);
    int64_t value = l->v[a->at];
    if (a->flags & PROF_ARGUMENT_INDIRECT) {
        if (!value)
            return null_pointer(a, "");
        /* the handle of a file is a pointer */
        value =
            a->check == PROF_CHECK_FILE ? *(const int64_t *)(intptr_t)value : *(const int *)(intptr_t)value;
    }
    return check_value(l, a, -1, value);
}

/* ---- the call ---- */

/* Whether this rank gives and takes data, by the root that the program has named. */
static void find_sides(struct prof_look *l)
{
    const struct prof_arguments *d = l->d;
    int64_t root = d->root >= 0 ? l->v[d->root] : 0;
    bool inter = l->c && l->c->inter;
    l->is_root = d->root >= 0 && l->c && (inter ? root == MPI_ROOT : root == l->c->rank);
    bool opposite = !inter || d->root < 0 || root >= 0;
    l->gives = d->flow == ISP_FLOW_FROM_ROOT ? l->is_root : opposite;
    l->takes = d->flow == ISP_FLOW_TO_ROOT ? l->is_root : opposite;
}

static bool check_all(const struct prof_arguments *d, const int64_t *values)
{
    struct prof_look l = {.d = d, .v = values};
    for (int i = 0; i < d->n; i++) {
        const struct prof_argument *a = &d->each[i];
        if (!check_argument(&l, a))
            return false;
        if (a->at == d->comm && d->collective)
            find_sides(&l);
    }
    if (d->fn == ISP_FN_MPI_Compare_and_swap)
        return prof_look_swapped(argument_at(d, 3), (MPI_Datatype)values[3]);
    return true;
}

/* What the file may not be used for. */
static bool check_file_use(const struct prof_arguments *d, const int64_t *values)
{
    prof_file_keep_common(d->fn, values);
    if (d->file < 0)
        return true;
    const int64_t value = values[d->file];
    struct prof_file *f = prof_file_find(d->fn == ISP_FN_MPI_File_close ? *(const MPI_File *)(intptr_t)value
                                                                        : (MPI_File)(intptr_t)value);
    struct prof_file_wrong wrong;
    if (!f || prof_file_allows(f, d->fn, values, &wrong))
        return true;
    prof_wrong(ISP_RULE_IO_MISUSE, wrong.code, "%s", wrong.text);
    found.freed = wrong.at;
    return false;
}

bool prof_arguments_wrong(const struct prof_arguments *d, const int64_t *values)
{
    if (prof_phase != PROF_RUNNING || prof_depth > 0 || prof_settings()->unchecked)
        return false;
    bool locks = prof_threads_at_once; /* the tables are under the lock of the calls that steer the run */
    if (locks)
        prof_threads_enter();
    /* a finding of what is asked of MPI here belongs to this call */
    struct prof_current current = prof_current;
    prof_depth++;
    bool right = check_all(d, values) && check_file_use(d, values);
    prof_depth--;
    prof_current = current;
    if (locks)
        prof_threads_leave();
    return !right;
}

/* An open file that the call names, or MPI_FILE_NULL. */
static MPI_File file_of(const struct prof_arguments *d, const int64_t *values)
{
    for (int i = 0; i < d->n; i++) {
        const struct prof_argument *a = &d->each[i];
        if ((a->check != PROF_CHECK_FILE && a->check != PROF_CHECK_FILE_OR_NULL) ||
            (a->flags & PROF_ARGUMENT_INDIRECT))
            continue;
        struct prof_file *file = prof_file_find((MPI_File)(intptr_t)values[a->at]);
        return file ? file->handle : MPI_FILE_NULL;
    }
    return MPI_FILE_NULL;
}

int prof_arguments_refuse(const struct prof_arguments *d, const int64_t *values, const void *site)
{
    struct prof_finding finding = {.rule = found.rule,
                                   .at = {d->fn, site},
                                   .text = found.text,
                                   .more = &found.freed,
                                   .n_more = found.freed.fn ? 1 : 0};
    bool collective =
        prof_settings()->on_error == ISP_ON_ERROR_CONTINUE && (d->collective || d->fn == ISP_FN_MPI_Barrier);
    if (collective && !found.goes_on)
        finding.story = "This rank goes on without the call (--on-error=continue): the other ranks of this "
                        "collective miss it from here on.\n";
    if (!prof_enter(d->fn, site))
        return found.code;
    if (found.goes_on) {
        prof_finding_tell(&finding);
        return prof_leave(MPI_SUCCESS);
    }
    struct prof_comm *c = d->comm >= 0 ? prof_comm_find((MPI_Comm)values[d->comm]) : NULL;
    struct prof_win *w = d->win >= 0 ? prof_win_find((MPI_Win)values[d->win]) : NULL;
    struct prof_error_object object = {.comm = c ? c->handle : MPI_COMM_WORLD,
                                       .win = w ? w->handle : MPI_WIN_NULL,
                                       .file = file_of(d, values)};
    return prof_leave(prof_error_found(&finding, &object, found.code));
}

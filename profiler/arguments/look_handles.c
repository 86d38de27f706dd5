/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Handles in arguments: null, freed, or none at all. What isp has not seen made (in a callback of the
 * program, say) is asked of MPI, once its number has the form of such a handle.
 */
#include "look.h"

#include <stddef.h>

#include "calls/completion.h"
#include "calls/persistent.h"
#include "engine/errors.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "files/files.h"
#include "tables/requests.h"
#include "types/builtin_types.h"
#include "types/types.h"

/* MPICH's handles: two bits of storage, 0 for null handles, 1 for predefined ones; four bits of kind. */
enum {
    GROUP_BITS = 2,
    TYPE_BITS = 3,
    ERRHANDLER_BITS = 5,
    OP_BITS = 6,
    INFO_BITS = 7,
    WIN_BITS = 8,
    KEYVAL_BITS = 9,
    COMM_BITS = 1
};

static bool has_form(int64_t handle, unsigned bits)
{
    return ((unsigned)handle >> 30) != 0 && ((unsigned)handle >> 26 & 15) == bits;
}

static bool is_predefined(int64_t handle) { return ((unsigned)handle >> 30) == 1; }

#define QUIETLY(call)                                                                         \
    (prof_errors_quiet(true), quiet_rc = prof_errors_heard((call)), prof_errors_quiet(false), \
     quiet_rc == MPI_SUCCESS)

/* ---- communicators ---- */

static bool wrong_kind(const struct prof_argument *a, const char *is, const char *must)
{
    return prof_wrong(ISP_RULE_INVALID_COMMUNICATOR, MPI_ERR_COMM, "%s is %s, but this call takes %s only",
                      a->name, is, must);
}

static bool check_topology(const struct prof_argument *a, MPI_Comm comm)
{
    static const struct {
        enum prof_check check;
        int topology;
        const char *name;
    } wanted[] = {
        {PROF_CHECK_COMM_CART, MPI_CART, "a Cartesian topology"},
        {PROF_CHECK_COMM_GRAPH, MPI_GRAPH, "a graph topology"},
        {PROF_CHECK_COMM_DIST, MPI_DIST_GRAPH, "a distributed graph topology"},
        {PROF_CHECK_COMM_TOPOLOGY, MPI_UNDEFINED, "a process topology"},
    };
    int topology = MPI_UNDEFINED;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (wanted[i].check != a->check || PMPI_Topo_test(comm, &topology) != MPI_SUCCESS)
            continue;
        if (wanted[i].topology == MPI_UNDEFINED ? topology == MPI_UNDEFINED : topology != wanted[i].topology)
            return prof_wrong(ISP_RULE_INVALID_COMMUNICATOR, MPI_ERR_TOPOLOGY, "%s has no %s", a->name,
                              wanted[i].name + 2);
    }
    return true;
}

static bool fits(const struct prof_look *l, const struct prof_argument *a, MPI_Comm comm)
{
    int inter = l->c ? l->c->inter : 0;
    if (!l->c)
        PMPI_Comm_test_inter(comm, &inter);
    switch (a->check) {
    case PROF_CHECK_COMM: return true;
    case PROF_CHECK_COMM_INTRA: return !inter || wrong_kind(a, "an intercommunicator", "intracommunicators");
    case PROF_CHECK_COMM_INTER: return inter || wrong_kind(a, "an intracommunicator", "intercommunicators");
    case PROF_CHECK_COMM_FREE:
        if (comm == MPI_COMM_WORLD || comm == MPI_COMM_SELF)
            return prof_wrong(ISP_RULE_INVALID_COMMUNICATOR, MPI_ERR_COMM,
                              "%s is %s, which must not be freed", a->name,
                              comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
        return true;
    default: return check_topology(a, comm);
    }
}

bool prof_look_comm(struct prof_look *l, const struct prof_argument *a, MPI_Comm comm)
{
    struct prof_place freed = {0};
    int quiet_rc, inter;
    struct prof_comm *c = prof_comm_find(comm);
    if (!l->c && a->check != PROF_CHECK_COMM_LEADER)
        l->c = c; /* the first, which the ranks in the call are of */
    if (c)
        return a->check == PROF_CHECK_COMM || fits(l, a, comm);
    if (comm == MPI_COMM_NULL)
        return prof_wrong(ISP_RULE_INVALID_COMMUNICATOR, MPI_ERR_COMM, "%s is MPI_COMM_NULL", a->name);
    if (prof_handle_life(PROF_HANDLE_COMM, (int)comm, &freed) == PROF_HANDLE_FREED)
        return prof_wrong_freed(ISP_RULE_INVALID_COMMUNICATOR, MPI_ERR_COMM, a->name, &freed);
    if (!has_form(comm, COMM_BITS) || !QUIETLY(PMPI_Comm_test_inter(comm, &inter)))
        return prof_wrong(ISP_RULE_INVALID_COMMUNICATOR, MPI_ERR_COMM, "%s is no communicator (0x%x)",
                          a->name, (unsigned)comm);
    return fits(l, a, comm);
}

/* ---- datatypes ---- */

static bool is_predefined_type(MPI_Datatype type)
{
    return is_predefined(type) || type == MPI_FLOAT_INT || type == MPI_DOUBLE_INT || type == MPI_LONG_INT ||
           type == MPI_SHORT_INT || type == MPI_LONG_DOUBLE_INT;
}

bool prof_look_type(const struct prof_argument *a, int64_t i, MPI_Datatype type, bool committed)
{
    if (prof_type_is_builtin(type))
        return true;
    struct prof_place freed = {0};
    struct prof_type *entry;
    MPI_Count size;
    int quiet_rc;
    const char *name = prof_argument_name(a, i);
    enum prof_handle_life life = prof_handle_life(PROF_HANDLE_DATATYPE, (int)type, &freed);
    if (type == MPI_DATATYPE_NULL)
        return prof_wrong(ISP_RULE_INVALID_DATATYPE, MPI_ERR_TYPE, "%s is MPI_DATATYPE_NULL", name);
    if (life == PROF_HANDLE_FREED)
        return prof_wrong_freed(ISP_RULE_INVALID_DATATYPE, MPI_ERR_TYPE, name, &freed);
    if (life == PROF_HANDLE_UNKNOWN &&
        (!has_form(type, TYPE_BITS) || !QUIETLY(PMPI_Type_size_x(type, &size))))
        return prof_wrong(ISP_RULE_INVALID_DATATYPE, MPI_ERR_TYPE, "%s is no datatype (0x%x)", name,
                          (unsigned)type);
    if (committed && !prof_type_find(type, &size, &entry))
        return prof_wrong(ISP_RULE_INVALID_DATATYPE, MPI_ERR_TYPE, "%s is not committed (MPI_Type_commit)",
                          name);
    return true;
}

static bool check_type_free(const struct prof_argument *a, MPI_Datatype type)
{
    if (is_predefined_type(type))
        return prof_wrong(ISP_RULE_INVALID_DATATYPE, MPI_ERR_TYPE, "%s is predefined, and must not be freed",
                          a->name);
    return prof_look_type(a, -1, type, false);
}

/* ---- handles that MPI can be asked about ---- */

static bool answers_group(int handle)
{
    int size;
    return PMPI_Group_size((MPI_Group)handle, &size) == MPI_SUCCESS;
}

static bool answers_op(int handle)
{
    int commutes;
    return PMPI_Op_commutative((MPI_Op)handle, &commutes) == MPI_SUCCESS;
}

static bool answers_info(int handle)
{
    int n;
    return PMPI_Info_get_nkeys((MPI_Info)handle, &n) == MPI_SUCCESS;
}

/* Nothing can be asked of an error handler alone. */
static bool answers_always(int handle)
{
    (void)handle;
    return true;
}

struct family {
    enum prof_handle_kind kind;
    unsigned bits;
    int null, code;
    enum isp_rule rule;
    const char *null_name, *what;
    bool (*answers)(int handle);
};

static bool check_family(const struct family *f, const struct prof_argument *a, int64_t i, int64_t value)
{
    struct prof_place freed = {0};
    const char *name = prof_argument_name(a, i);
    if (value == f->null)
        return prof_wrong(f->rule, f->code, "%s is %s", name, f->null_name);
    enum prof_handle_life life = prof_handle_life(f->kind, (int)value, &freed);
    if (life == PROF_HANDLE_LIVE)
        return true;
    if (life == PROF_HANDLE_FREED)
        return prof_wrong_freed(f->rule, f->code, name, &freed);
    bool known = has_form(value, f->bits);
    if (known) {
        prof_errors_quiet(true);
        known = f->answers((int)value) && prof_errors_heard(MPI_SUCCESS) == MPI_SUCCESS;
        prof_errors_quiet(false);
    }
    return known || prof_wrong(f->rule, f->code, "%s is no %s (0x%x)", name, f->what, (unsigned)value);
}

static const struct family groups = {
    PROF_HANDLE_GROUP,         GROUP_BITS,       MPI_GROUP_NULL, MPI_ERR_GROUP,
    ISP_RULE_INVALID_ARGUMENT, "MPI_GROUP_NULL", "group",        answers_group};
static const struct family ops = {PROF_HANDLE_OP,      OP_BITS,       MPI_OP_NULL,           MPI_ERR_OP,
                                  ISP_RULE_INVALID_OP, "MPI_OP_NULL", "reduction operation", answers_op};
static const struct family infos = {PROF_HANDLE_INFO,          INFO_BITS,       MPI_INFO_NULL, MPI_ERR_INFO,
                                    ISP_RULE_INVALID_ARGUMENT, "MPI_INFO_NULL", "info object", answers_info};
static const struct family errhandlers = {
    PROF_HANDLE_ERRHANDLER,    ERRHANDLER_BITS,       MPI_ERRHANDLER_NULL, MPI_ERR_ARG,
    ISP_RULE_INVALID_ARGUMENT, "MPI_ERRHANDLER_NULL", "error handler",     answers_always};

static bool check_op_any(const struct prof_argument *a, int64_t value)
{
    return is_predefined(value) || check_family(&ops, a, -1, value);
}

static bool check_own(const struct family *f, const struct prof_argument *a, int64_t value,
                      const char *must_not)
{
    if (!is_predefined(value))
        return check_family(f, a, -1, value);
    return prof_wrong(f->rule, f->code, "%s is predefined, and must not be %s", a->name, must_not);
}

/* A key that is freed lives on while an object has an attribute of it, and may be named until then (MPI-4.0,
 * section 7.7.2). */
static bool check_keyval(const struct prof_argument *a, int64_t value)
{
    if (has_form(value, KEYVAL_BITS) && a->check != PROF_CHECK_KEYVAL && is_predefined(value))
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_KEYVAL, "%s is predefined, and must not be %s",
                          a->name, a->check == PROF_CHECK_KEYVAL_FREE ? "freed" : "set or deleted");
    if (value == MPI_KEYVAL_INVALID)
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_KEYVAL, "%s is MPI_KEYVAL_INVALID", a->name);
    return has_form(value, KEYVAL_BITS) ||
           prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_KEYVAL, "%s is no attribute key (0x%x)", a->name,
                      (unsigned)value);
}

/* Ranks of a group that are not in another. */
static bool check_subgroup(const struct prof_look *l, const struct prof_argument *a, MPI_Group group)
{
    MPI_Group whole;
    int result, n, most;
    if (!check_family(&groups, a, -1, group))
        return false;
    bool window = a->check == PROF_CHECK_SUBGROUP_WINDOW;
    if (window ? !l->w : !l->c || l->c->inter)
        return true;
    if ((window ? PMPI_Win_get_group(l->w->handle, &whole) : PMPI_Comm_group(l->c->handle, &whole)) !=
        MPI_SUCCESS)
        return true;
    MPI_Group rest;
    PMPI_Group_difference(group, whole, &rest);
    PMPI_Group_size(rest, &n);
    PMPI_Group_size(whole, &most);
    PMPI_Group_compare(group, whole, &result);
    PMPI_Group_free(&whole);
    if (rest != MPI_GROUP_EMPTY)
        PMPI_Group_free(&rest);
    return n == 0 || prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_GROUP,
                                "%s has %d rank%s that %s not in the group of the %s", a->name, n,
                                n == 1 ? "" : "s", n == 1 ? "is" : "are", window ? "window" : "communicator");
}

/* ---- windows and files ---- */

static bool check_win(struct prof_look *l, const struct prof_argument *a, MPI_Win win)
{
    struct prof_place freed = {0};
    int quiet_rc, found;
    void *base;
    l->w = prof_win_find(win);
    if (l->w)
        return true;
    if (win == MPI_WIN_NULL)
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_WIN, "%s is MPI_WIN_NULL", a->name);
    if (prof_handle_life(PROF_HANDLE_WINDOW, (int)win, &freed) == PROF_HANDLE_FREED)
        return prof_wrong_freed(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_WIN, a->name, &freed);
    if (has_form(win, WIN_BITS) && QUIETLY(PMPI_Win_get_attr(win, MPI_WIN_BASE, &base, &found)))
        return true;
    return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_WIN, "%s is no window (0x%x)", a->name,
                      (unsigned)win);
}

/* A program may set the default error handler of files without one. */
static bool check_file(const struct prof_argument *a, MPI_File file)
{
    if (prof_file_find(file))
        return true;
    if (file == MPI_FILE_NULL && a->check == PROF_CHECK_FILE_OR_NULL)
        return true;
    struct prof_place closed;
    if (prof_file_was_closed(file, &closed))
        return prof_wrong_closed(file, a->name, &closed);
    if (file == MPI_FILE_NULL)
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_FILE, "%s is MPI_FILE_NULL", a->name);
    return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_FILE, "%s is no open file (%p)", a->name,
                      (void *)file);
}

/* ---- requests and messages ---- */

static bool wrong_request(const struct prof_argument *a, int64_t i, const char *why)
{
    return prof_wrong(ISP_RULE_INVALID_REQUEST, MPI_ERR_REQUEST, "%s %s", prof_argument_name(a, i), why);
}

/* A number that was never a request of ours, or is none any more. */
static bool not_live(const struct prof_argument *a, int64_t i, MPI_Request request)
{
    const char *name = prof_argument_name(a, i);
    if (!prof_request_is_old(request))
        return prof_wrong(ISP_RULE_INVALID_REQUEST, MPI_ERR_REQUEST, "%s is no request (0x%x)", name,
                          (unsigned)request);
    const struct prof_request *r = prof_request_of_number((unsigned)request & (PROF_HANDLE_MESSAGE_BIT - 1));
    if (r && r->ended.fn)
        return prof_wrong_freed(ISP_RULE_INVALID_REQUEST, MPI_ERR_REQUEST, name, &r->ended);
    return wrong_request(a, i, "is an old copy of a request that is complete, or was freed");
}

/* Until it is complete, also if the program has freed its request. */
static bool check_general(const struct prof_argument *a, int64_t i, MPI_Request request)
{
    const struct prof_op *op = prof_request_target(request, false);
    if (op && op->kind == PROF_OP_GENERAL && !op->done)
        return true;
    if (op && op->kind == PROF_OP_GENERAL)
        return wrong_request(a, i, "is complete already");
    return op ? wrong_request(a, i, "is not a generalized request (MPI_Grequest_start)")
              : not_live(a, i, request);
}

/* An old copy of a handle is request-reuse, where the call itself looks for it. */
static bool check_request(const struct prof_argument *a, int64_t i, MPI_Request request)
{
    bool partitioned = a->check == PROF_CHECK_REQUEST_PARTITIONED || a->check == PROF_CHECK_REQUEST_ARRIVED;
    if (request == MPI_REQUEST_NULL) {
        if (a->check == PROF_CHECK_REQUEST || a->check == PROF_CHECK_REQUEST_ARRIVED)
            return true;
        return wrong_request(a, i, "is MPI_REQUEST_NULL");
    }
    if (a->check == PROF_CHECK_REQUEST_GENERAL)
        return check_general(a, i, request);
    const struct prof_persistent *p = prof_persistent_of(request);
    const struct prof_op *op = prof_op_of_request(request);
    if (!p && !op) {
        if (!partitioned && prof_request_is_old(request))
            return true;
        (void)prof_request_is_foreign(request); /* refuses what MPI has made */
        return not_live(a, i, request);
    }
    if (a->check == PROF_CHECK_REQUEST_START && !p)
        return wrong_request(a, i, "is not persistent: only what an _init call has made can be started");
    if (partitioned && (!p || !p->partitions))
        return wrong_request(a, i, "is not partitioned (MPI_Psend_init, MPI_Precv_init)");
    return true;
}

static bool check_message(const struct prof_argument *a, MPI_Message message)
{
    if (message == MPI_MESSAGE_NO_PROC || prof_op_of_message(message))
        return true;
    if (message == MPI_MESSAGE_NULL)
        return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_REQUEST, "%s is MPI_MESSAGE_NULL", a->name);
    return prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_REQUEST,
                      "%s is a message that was received already, or none at all (0x%x)", a->name,
                      (unsigned)message);
}

/* ---- all of them ---- */

bool prof_look_handle(struct prof_look *l, const struct prof_argument *a, int64_t i, int64_t value)
{
    switch ((enum prof_check)a->check) {
    case PROF_CHECK_COMM_LEADER: return prof_look_number(l, a, i, value);
    case PROF_CHECK_COMM:
    case PROF_CHECK_COMM_INTRA:
    case PROF_CHECK_COMM_INTER:
    case PROF_CHECK_COMM_CART:
    case PROF_CHECK_COMM_GRAPH:
    case PROF_CHECK_COMM_DIST:
    case PROF_CHECK_COMM_TOPOLOGY:
    case PROF_CHECK_COMM_FREE: return prof_look_comm(l, a, (MPI_Comm)value);
    case PROF_CHECK_GROUP:
    case PROF_CHECK_GROUP_FREE: return value == MPI_GROUP_EMPTY || check_family(&groups, a, i, value);
    case PROF_CHECK_SUBGROUP:
    case PROF_CHECK_SUBGROUP_WINDOW:
        return value == MPI_GROUP_EMPTY || check_subgroup(l, a, (MPI_Group)value);
    case PROF_CHECK_TYPE_FREE: return check_type_free(a, (MPI_Datatype)value);
    case PROF_CHECK_OP_ANY: return check_op_any(a, value);
    case PROF_CHECK_OP_FREE: return check_own(&ops, a, value, "freed");
    case PROF_CHECK_INFO: return is_predefined(value) || check_family(&infos, a, i, value);
    case PROF_CHECK_INFO_OR_NULL:
        return value == MPI_INFO_NULL || is_predefined(value) || check_family(&infos, a, i, value);
    case PROF_CHECK_INFO_OWN: return check_own(&infos, a, value, "changed");
    case PROF_CHECK_INFO_FREE: return check_own(&infos, a, value, "freed");
    case PROF_CHECK_ERRHANDLER:
    case PROF_CHECK_ERRHANDLER_FREE: return is_predefined(value) || check_family(&errhandlers, a, i, value);
    case PROF_CHECK_WIN: return check_win(l, a, (MPI_Win)value);
    case PROF_CHECK_FILE:
    case PROF_CHECK_FILE_OR_NULL: return check_file(a, (MPI_File)(intptr_t)value);
    case PROF_CHECK_SESSION:
        return value != MPI_SESSION_NULL ||
               prof_wrong(ISP_RULE_INVALID_ARGUMENT, MPI_ERR_SESSION, "%s is MPI_SESSION_NULL", a->name);
    case PROF_CHECK_KEYVAL:
    case PROF_CHECK_KEYVAL_OWN:
    case PROF_CHECK_KEYVAL_FREE: return check_keyval(a, value);
    case PROF_CHECK_MESSAGE: return check_message(a, (MPI_Message)value);
    default: return check_request(a, i, (MPI_Request)value);
    }
}

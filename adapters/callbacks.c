/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that the program gives to MPI are called by it with MPICH's handles: each gets Open MPI's here.
 * Where MPI passes on a pointer of the program's (extra_state), that says which function is meant. Operators
 * and error handlers have none: there the program's N-th function has the N-th of OPERATORS or HANDLERS
 * functions of ours.
 */
#include "front.h"

#include <stdatomic.h>
#include <stdio.h>

static void *must(void *memory)
{
    if (!memory) {
        fputs("isp: out of memory\n", stderr);
        abort();
    }
    return memory;
}

#define TIMES_8(M, a) M(a##0) M(a##1) M(a##2) M(a##3) M(a##4) M(a##5) M(a##6) M(a##7)
#define TIMES_64(M, a)                                                                                       \
    TIMES_8(M, a##0)                                                                                         \
    TIMES_8(M, a##1)                                                                                         \
    TIMES_8(M, a##2)                                                                                         \
    TIMES_8(M, a##3)                                                                                         \
    TIMES_8(M, a##4)                                                                                         \
    TIMES_8(M, a##5)                                                                                         \
    TIMES_8(M, a##6)                                                                                         \
    TIMES_8(M, a##7)
enum { EACH = 64 }; /* so many of each kind */

/* The number of the next function, which is the program's own `mine` from now on; EACH: there is no room.
 * One that is given again has the number that it had. */
static unsigned next(_Atomic(void *) *all, void *mine)
{
    for (unsigned i = 0; i < EACH; i++) {
        void *free = NULL;
        if (atomic_load(&all[i]) == mine || atomic_compare_exchange_strong(&all[i], &free, mine))
            return i;
        if (free == mine)
            return i;
    }
    fprintf(stderr, "isp: the program makes more than %d operators or error handlers of one kind\n", EACH);
    return EACH;
}

/* ---- operators ---- */

static _Atomic(void *) operators[EACH];

static void operate(unsigned n, void *in, void *inout, int *length, const int *type)
{
    MPI_Datatype datatype = from_datatype(*type);
    MPI_User_function *mine;
    *(void **)&mine = atomic_load(&operators[n]);
    mine(in, inout, length, &datatype);
}

#define OPERATOR(n)                                                                                          \
    static void operator_##n(void *in, void *inout, int *length, int *type)                                  \
    {                                                                                                        \
        operate(n, in, inout, length, type);                                                                 \
    }
#define ITS_NAME(n) operator_##n,
TIMES_64(OPERATOR, 0)
static void (*const our_operators[EACH])(void *, void *, int *, int *) = {TIMES_64(ITS_NAME, 0)};

FRONT(int, MPI_Op_create, (MPI_User_function * function, int commute, MPI_Op *op))
{
    static int (*call)(void (*)(void *, void *, int *, int *), int, int *);
    find(&call, "MPI_Op_create");
    int mine = MPICH_MPI_OP_NULL;
    unsigned n = function ? next(operators, *(void **)&function) : EACH;
    if (function && n == EACH)
        return MPI_ERR_OP;
    int code = call(function ? our_operators[n] : NULL, commute, op ? &mine : NULL);
    if (op)
        *op = from_op(mine);
    return from_code(code);
}

/* ---- error handlers ---- */

#undef ITS_NAME
#define ITS_NAME(n) handler_##n,
#define HANDLERS(Type, kind, own, take, make)                                                                \
    static _Atomic(void *) kind##_handlers[EACH];                                                            \
    static void handle_##kind(unsigned n, own *handle, const int *code)                                      \
    {                                                                                                        \
        Type mine = take(*handle);                                                                           \
        int my_code = from_code(*code);                                                                      \
        void (*function)(Type *, int *, ...);                                                                \
        *(void **)&function = atomic_load(&kind##_handlers[n]);                                              \
        function(&mine, &my_code);                                                                           \
    }

HANDLERS(MPI_Comm, comm, int, from_comm, )
HANDLERS(MPI_Win, win, int, from_win, )
HANDLERS(MPI_File, file, void *, from_file, )

#define COMM_HANDLER(n)                                                                                      \
    static void comm_handler_##n(int *handle, int *code, ...) { handle_comm(n, handle, code); }
#define WIN_HANDLER(n)                                                                                       \
    static void win_handler_##n(int *handle, int *code, ...) { handle_win(n, handle, code); }
#define FILE_HANDLER(n)                                                                                      \
    static void file_handler_##n(void **handle, int *code, ...) { handle_file(n, handle, code); }
#define COMM_NAME(n) comm_handler_##n,
#define WIN_NAME(n) win_handler_##n,
#define FILE_NAME(n) file_handler_##n,
TIMES_64(COMM_HANDLER, 0)
TIMES_64(WIN_HANDLER, 0)
TIMES_64(FILE_HANDLER, 0)
static void (*const our_comm_handlers[EACH])(int *, int *, ...) = {TIMES_64(COMM_NAME, 0)};
static void (*const our_win_handlers[EACH])(int *, int *, ...) = {TIMES_64(WIN_NAME, 0)};
static void (*const our_file_handlers[EACH])(void **, int *, ...) = {TIMES_64(FILE_NAME, 0)};

#define CREATE(name, Function, own, kind)                                                                    \
    FRONT(int, name, (Function * function, MPI_Errhandler * errhandler))                                     \
    {                                                                                                        \
        static int (*call)(void (*)(own *, int *, ...), int *);                                              \
        find(&call, #name);                                                                                  \
        int mine = MPICH_MPI_ERRHANDLER_NULL;                                                                \
        unsigned n = function ? next(kind##_handlers, *(void **)&function) : EACH;                           \
        if (function && n == EACH)                                                                           \
            return MPI_ERR_ARG;                                                                              \
        int code = call(function ? our_##kind##_handlers[n] : NULL, errhandler ? &mine : NULL);              \
        if (errhandler)                                                                                      \
            *errhandler = from_errhandler(mine);                                                             \
        return from_code(code);                                                                              \
    }
CREATE(MPI_Comm_create_errhandler, MPI_Comm_errhandler_function, int, comm)
CREATE(MPI_Win_create_errhandler, MPI_Win_errhandler_function, int, win)
CREATE(MPI_File_create_errhandler, MPI_File_errhandler_function, void *, file)

/* ---- attributes ---- */

/* All three kinds have functions of the same form: a handle is a pointer in Open MPI. Never freed: nobody
 * says when the last attribute of a key is gone. */
struct keeper {
    int (*copy)(void *, int, void *, void *, void *, int *);
    int (*delete)(void *, int, void *, void *);
    void *extra;
};

static int copy(int handle, int key, void *extra, void *in, void *out, int *flag)
{
    const struct keeper *k = extra;
    return to_code(k->copy(front_from(handle), key, k->extra, in, out, flag));
}

static int delete(int handle, int key, void *value, void *extra)
{
    const struct keeper *k = extra;
    return to_code(k->delete(front_from(handle), key, value, k->extra));
}

static int create_keyval(const char *name, void *copy_function, void *delete_function, int *key, void *extra)
{
    int (*call)(int (*)(int, int, void *, void *, void *, int *), int (*)(int, int, void *, void *), int *,
                void *) = NULL;
    find(&call, name);
    struct keeper *k = must(calloc(1, sizeof *k));
    *(void **)&k->copy = copy_function;
    *(void **)&k->delete = delete_function;
    k->extra = extra;
    return from_code(call(k->copy ? copy : NULL, k->delete ? delete : NULL, key, k));
}

#define KEYVAL(name, Copy, Delete)                                                                           \
    FRONT(int, name, (Copy * copy_function, Delete * delete_function, int *key, void *extra))                \
    {                                                                                                        \
        return create_keyval(#name, *(void **)&copy_function, *(void **)&delete_function, key, extra);       \
    }
KEYVAL(MPI_Comm_create_keyval, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function)
KEYVAL(MPI_Type_create_keyval, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function)
KEYVAL(MPI_Win_create_keyval, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function)
KEYVAL(MPI_Keyval_create, MPI_Copy_function, MPI_Delete_function)

#define FREE_KEYVAL(name)                                                                                    \
    FRONT(int, name, (int *key))                                                                             \
    {                                                                                                        \
        static int (*call)(int *);                                                                           \
        find(&call, #name);                                                                                  \
        int mine = key ? to_keyval(*key) : 0, code = call(key ? &mine : NULL);                                  \
        if (key)                                                                                             \
            *key = mine == MPICH_MPI_KEYVAL_INVALID ? MPI_KEYVAL_INVALID : mine;                             \
        return from_code(code);                                                                              \
    }
FREE_KEYVAL(MPI_Comm_free_keyval)
FREE_KEYVAL(MPI_Type_free_keyval)
FREE_KEYVAL(MPI_Win_free_keyval)
FREE_KEYVAL(MPI_Keyval_free)

FRONT(int, MPI_Win_get_attr, (MPI_Win win, int key, void *value, int *flag))
{
    static int (*call)(int, int, void *, int *), separate = MPI_WIN_SEPARATE, unified = MPI_WIN_UNIFIED;
    find(&call, "MPI_Win_get_attr");
    int code = call(to_win(win), to_keyval(key), value, flag);
    if (code == MPI_SUCCESS && key == MPI_WIN_MODEL && flag && *flag)
        *(int **)value = **(int **)value == MPICH_MPI_WIN_UNIFIED ? &unified : &separate;
    return from_code(code);
}

/* ---- generalized requests ---- */

struct generalized {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

static int query(void *extra, struct status *status)
{
    const struct generalized *g = extra;
    MPI_Status mine = from_status(status);
    int code = g->query(g->extra, &mine);
    *status = to_status(&mine);
    return to_code(code);
}

static int let_go(void *extra)
{
    struct generalized *g = extra;
    int code = g->free ? g->free(g->extra) : MPI_SUCCESS;
    free(g);
    return to_code(code);
}

static int cancel(void *extra, int complete)
{
    const struct generalized *g = extra;
    return to_code(g->cancel(g->extra, complete));
}

FRONT(int, MPI_Grequest_start,
      (MPI_Grequest_query_function * query_function, MPI_Grequest_free_function *free_function,
       MPI_Grequest_cancel_function *cancel_function, void *extra, MPI_Request *request))
{
    static int (*call)(int (*)(void *, struct status *), int (*)(void *), int (*)(void *, int), void *, int *);
    find(&call, "MPI_Grequest_start");
    struct generalized *g = must(calloc(1, sizeof *g));
    *g = (struct generalized){query_function, free_function, cancel_function, extra};
    int mine = MPICH_MPI_REQUEST_NULL;
    int code = call(query_function ? query : NULL, let_go, cancel_function ? cancel : NULL, g,
                    request ? &mine : NULL);
    if (request)
        *request = from_request(mine);
    return from_code(code);
}

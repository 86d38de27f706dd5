/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that the program gives to MPI, and that get no pointer of the program's which would say whose
 * they are: operators and error handlers. The program's N-th function has the N-th of as many functions of
 * ours.
 */
#include "callbacks.h"

#include <stdatomic.h>
#include <stdio.h>

#define TIMES_8(M, a) M(a##0) M(a##1) M(a##2) M(a##3) M(a##4) M(a##5) M(a##6) M(a##7)
#define TIMES_64(M, a) \
    TIMES_8(M, a##0)   \
    TIMES_8(M, a##1)   \
    TIMES_8(M, a##2)   \
    TIMES_8(M, a##3)   \
    TIMES_8(M, a##4)   \
    TIMES_8(M, a##5)   \
    TIMES_8(M, a##6)   \
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

#define OPERATORS(suffix, Length)                                                                    \
    static _Atomic(void *) operators##suffix[EACH];                                                  \
    static bool fortran_operators##suffix[EACH];                                                     \
    static void operate##suffix(unsigned n, void *in, void *inout, Length *length, const int *type)  \
    {                                                                                                \
        MPI_Datatype datatype = from_datatype(*type);                                                \
        MPI_Fint number = front_number(datatype);                                                    \
        void (*mine)(void *, void *, Length *, void *);                                              \
        *(void **)&mine = atomic_load(&operators##suffix[n]);                                        \
        mine(in, inout, length, fortran_operators##suffix[n] ? (void *)&number : (void *)&datatype); \
    }
OPERATORS(, int)

#define OPERATOR(n)                                                         \
    static void operator_##n(void *in, void *inout, int *length, int *type) \
    {                                                                       \
        operate(n, in, inout, length, type);                                \
    }
#define ITS_NAME(n) operator_##n,
TIMES_64(OPERATOR, 0)
static void (*const our_operators[EACH])(void *, void *, int *, int *) = {TIMES_64(ITS_NAME, 0)};

#define CREATE_OPERATOR(storage, suffix, Length)                                                 \
    storage int front_op_create##suffix(void *function, bool fortran, int commute, MPI_Op *op)   \
    {                                                                                            \
        static int (*call)(void (*)(void *, void *, Length *, int *), int, int *);               \
        find(&call, "MPI_Op_create" #suffix);                                                    \
        int mine = MPICH_MPI_OP_NULL;                                                            \
        unsigned n = function ? next(operators##suffix, function) : EACH;                        \
        if (function && n == EACH)                                                               \
            return MPI_ERR_OP;                                                                   \
        if (function)                                                                            \
            fortran_operators##suffix[n] = fortran;                                              \
        int code = call(function ? our_operators##suffix[n] : NULL, commute, op ? &mine : NULL); \
        if (op)                                                                                  \
            *op = from_op(mine);                                                                 \
        return from_code(code);                                                                  \
    }
CREATE_OPERATOR(, , int)

FRONT(int, MPI_Op_create, (MPI_User_function * function, int commute, MPI_Op *op))
{
    return front_op_create(*(void **)&function, false, commute, op);
}

#if MPI_VERSION >= 4
OPERATORS(_c, MPI_Count)
#define LARGE_OPERATOR(n)                                                           \
    static void operator_c_##n(void *in, void *inout, MPI_Count *length, int *type) \
    {                                                                               \
        operate_c(n, in, inout, length, type);                                      \
    }
#define LARGE_NAME(n) operator_c_##n,
TIMES_64(LARGE_OPERATOR, 0)
static void (*const our_operators_c[EACH])(void *, void *, MPI_Count *, int *) = {TIMES_64(LARGE_NAME, 0)};
CREATE_OPERATOR(static, _c, MPI_Count)

FRONT(int, MPI_Op_create_c, (MPI_User_function_c * function, int commute, MPI_Op *op))
{
    return front_op_create_c(*(void **)&function, false, commute, op);
}
#endif

/* ---- error handlers ---- */

#define HANDLERS(Type, kind, own, number)                                                       \
    static _Atomic(void *) kind##_handlers[EACH];                                               \
    static bool fortran_##kind##_handlers[EACH];                                                \
    static void handle_##kind(unsigned n, own *handle, const int *code)                         \
    {                                                                                           \
        Type mine = from_##kind(*handle);                                                       \
        MPI_Fint in_fortran = number(mine);                                                     \
        int my_code = from_code(*code);                                                         \
        void (*function)(void *, int *, ...);                                                   \
        *(void **)&function = atomic_load(&kind##_handlers[n]);                                 \
        function(fortran_##kind##_handlers[n] ? (void *)&in_fortran : (void *)&mine, &my_code); \
    }

HANDLERS(MPI_Comm, comm, int, MPI_Comm_c2f)
HANDLERS(MPI_Win, win, int, MPI_Win_c2f)
HANDLERS(MPI_File, file, void *, MPI_File_c2f)

#define COMM_HANDLER(n) \
    static void comm_handler_##n(int *handle, int *code, ...) { handle_comm(n, handle, code); }
#define WIN_HANDLER(n) \
    static void win_handler_##n(int *handle, int *code, ...) { handle_win(n, handle, code); }
#define FILE_HANDLER(n) \
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

#define CREATE(name, Function, own, kind)                                                       \
    int front_##kind##_handler(void *function, bool fortran, MPI_Errhandler *errhandler)        \
    {                                                                                           \
        static int (*call)(void (*)(own *, int *, ...), int *);                                 \
        find(&call, #name);                                                                     \
        int mine = MPICH_MPI_ERRHANDLER_NULL;                                                   \
        unsigned n = function ? next(kind##_handlers, function) : EACH;                         \
        if (function && n == EACH)                                                              \
            return MPI_ERR_ARG;                                                                 \
        if (function)                                                                           \
            fortran_##kind##_handlers[n] = fortran;                                             \
        int code = call(function ? our_##kind##_handlers[n] : NULL, errhandler ? &mine : NULL); \
        if (errhandler)                                                                         \
            *errhandler = from_errhandler(mine);                                                \
        return from_code(code);                                                                 \
    }                                                                                           \
    FRONT(int, name, (Function * function, MPI_Errhandler * errhandler))                        \
    {                                                                                           \
        return front_##kind##_handler(*(void **)&function, false, errhandler);                  \
    }
CREATE(MPI_Comm_create_errhandler, MPI_Comm_errhandler_function, int, comm)
CREATE(MPI_Win_create_errhandler, MPI_Win_errhandler_function, int, win)
CREATE(MPI_File_create_errhandler, MPI_File_errhandler_function, void *, file)

/* MPI-1's name */
FRONT(int, MPI_Errhandler_create, (MPI_Handler_function * function, MPI_Errhandler *errhandler))
{
    return front_comm_handler(*(void **)&function, false, errhandler);
}

#ifdef MPI_SESSION_NULL
HANDLERS(MPI_Session, session, int, front_number)
#define SESSION_HANDLER(n) \
    static void session_handler_##n(int *handle, int *code, ...) { handle_session(n, handle, code); }
#define SESSION_NAME(n) session_handler_##n,
TIMES_64(SESSION_HANDLER, 0)
static void (*const our_session_handlers[EACH])(int *, int *, ...) = {TIMES_64(SESSION_NAME, 0)};
CREATE(MPI_Session_create_errhandler, MPI_Session_errhandler_function, int, session)
#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The front that a program of another MPI calls: it has that one's functions, types and constants (its
 * mpi.h), and calls those of libisp.so, which has MPICH's, as every MPI with MPICH's binary interface.
 * Handles of both are numbers to the other (openmpi/handles.c, abi/handles.c).
 *
 * Each file of this folder is compiled for each of the other MPIs. It sees the mpi.h of that one, and MPICH's
 * constants as MPICH_MPI_X.
 */
#ifndef ADAPTERS_FRONT_H
#define ADAPTERS_FRONT_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "mpich.h"

/* MPI_X, and PMPI_X as another name of it: who calls that, as Open MPI's Fortran library, comes here too. */
#define FRONT(result, name, parameters)                                             \
    __attribute__((alias(#name), visibility("default"))) result P##name parameters; \
    __attribute__((visibility("default"))) result name parameters

/* *place (a static pointer to a function) becomes libisp's function of this name, the first time. */
void front_find(void *place, const char *name);
/* libisp.so, which is told what a program of this interface reckons with. */
void *front_isp(void);
void front_find_own(void *place, const char *name); /* Open MPI's own */
/* ... or that of a library; whose: to say that it has none. */
void front_find_in(void *library, void *place, const char *name, const char *whose);
/* kind: of the name. site: the address behind the program's call; NULL: it is not known. */
_Noreturn void front_missing(const char *name, const char *whose, const char *kind, const void *site);
_Noreturn void front_refuse(const char *text, const void *site);
static inline void find(void *place, const char *name)
{
    if (!__atomic_load_n((void **)place, __ATOMIC_ACQUIRE))
        front_find(place, name);
}

/* ---- handles ---- */

int front_to(const void *handle); /* 0, which is no handle of MPICH's: it is none */
void *front_from(int handle);
/* The numbers that they have in Fortran: those of its mpif.h, else MPICH's handle. */
int front_number(const void *handle);
void *front_numbered(int kind, int number);
enum {
    FRONT_COMM,
    FRONT_DATATYPE,
    FRONT_ERRHANDLER,
    FRONT_FILE,
    FRONT_GROUP,
    FRONT_INFO,
    FRONT_MESSAGE,
    FRONT_OP,
    FRONT_REQUEST,
    FRONT_SESSION,
    FRONT_WIN
};

#define HANDLE(Type, name)                                                \
    static inline int to_##name(Type handle) { return front_to(handle); } \
    static inline Type from_##name(int handle) { return front_from(handle); }
HANDLE(MPI_Comm, comm)
HANDLE(MPI_Datatype, datatype)
HANDLE(MPI_Errhandler, errhandler)
HANDLE(MPI_Group, group)
HANDLE(MPI_Info, info)
HANDLE(MPI_Op, op)
HANDLE(MPI_Win, win)
#ifdef MPI_SESSION_NULL /* MPI 4 */
HANDLE(MPI_Session, session)
#endif
#undef HANDLE
static inline int to_message(MPI_Message message) { return front_to(message); }
/* MPICH's MPI_MESSAGE_NULL is its MPI_REQUEST_NULL, too. */
MPI_Message front_null_message(void);
static inline MPI_Message from_message(int handle)
{
    return handle == MPICH_MPI_MESSAGE_NULL ? front_null_message() : front_from(handle);
}
static inline int to_request(MPI_Request request) { return front_to(request); }
MPI_Request from_request(int handle);
/* The variable of a request, with MPICH's handle in it. */
static inline int *in_place(MPI_Request *request)
{
    int *mine = (void *)request;
    if (request)
        *mine = to_request(*request);
    return mine;
}
/* The variable of a handle into which MPICH's will be written: what it is beside that stands in it before. */
int *later(MPI_Comm *comm);
/* MPICH's is a pointer, too; its null handle is none. */
MPI_File front_null_file(void);
static inline void *to_file(MPI_File file) { return file == front_null_file() ? NULL : file; }
static inline MPI_File from_file(void *file) { return file ? file : front_null_file(); }

/* ---- statuses ---- */

struct status { /* MPICH's */
    int low, high_and_cancelled, source, tag, error;
};
#define STATUS_IGNORE ((struct status *)1)
struct status to_status(const MPI_Status *status);
MPI_Status from_status(const struct status *status);
/* Sets *status, if there is one. What MPI has not set stays: most calls leave MPI_ERROR alone (MPI-4.1,
 * section 3.2.5). */
void put_status(MPI_Status *status, const struct status *mine);
/* A copy of n, to be given back by put_statuses, which sets the first `set`; NULL: there are none. */
struct status *status_room(const MPI_Status *statuses, int n);
void put_statuses(MPI_Status *statuses, struct status *mine, int set);
/* How many Waitsome and Testsome have set. */
int statuses_of_some(int code, int outcount);

/* ---- numbers ---- */

int from_code(int code); /* an error code of MPICH's: its class, or itself if the program made it */
int to_code(int code);
int to_rank(int rank); /* or MPI_ANY_SOURCE, MPI_PROC_NULL, MPI_ROOT */
int from_rank(int rank);
int to_tag(int tag); /* or MPI_ANY_TAG */
int from_tag(int tag);
int to_whence(int whence);
int to_amode(int bits);
int from_amode(int bits);
int to_level(int level); /* MPI_THREAD_X */
int from_level(int level);
int from_comparison(int result);
int from_flavor(int flavor);
MPI_Offset to_displacement(MPI_Offset displacement);
int to_keyval(int keyval);
int to_assertion(int bits);
int to_lock_type(int type);
int to_order(int order);
int to_distribution(int distribution);
int to_distribution_argument(int argument);
/* These refuse what MPI 4.1 has added, at the call of the function in which they stand. */
#define to_split_type(type) front_split_type(type, __builtin_return_address(0))
#define to_attached(buffer) front_attached(buffer, __builtin_return_address(0))
int front_split_type(int type, const void *site);
void *front_attached(void *buffer, const void *site);
int to_typeclass(int class);
int from_order(int order);
int from_distribution(int distribution);
int from_distribution_argument(int argument);
int from_combiner(int combiner);
int from_topology(int topology);
/* A send or receive buffer, or MPI_IN_PLACE. */
void *to_buffer(const void *buffer);
/* MPI_IN_PLACE of Fortran, which Open MPI's bindings hand on where it is not allowed; NULL: there is none. */
extern const void *front_fortran_in_place;
/* Of a graph, or MPI_UNWEIGHTED and the like. */
const int *to_weights(const int *weights);

/* ---- arrays ---- */

int *room(int n, bool wanted); /* NULL: not wanted. Caller frees */
/* Of malloc and the like: ends the process if there is no memory. */
void *front_must(void *memory);
/* How many ranks MPI_Alltoallw and its like send to: the elements of their arrays. */
int to_all(MPI_Comm comm);
int destinations(MPI_Comm comm);
int sources(MPI_Comm comm);

#endif

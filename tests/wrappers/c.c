/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs with a layer of C between them and MPI: see README.md. The first argument is which; a line that
 * its finding must name is marked with that name. Run with 2 ranks. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quiet.h"

static MPI_Comm world;
static int rank, other, number = 3, numbers[4];
static double real = 1;

/* ---- the layer ---- */

static int layer_send(const int *x, int n, int to, int tag)
{
    return MPI_Send(x, n, MPI_INT, to, tag, world);
}

static int layer_recv(int *x, int n, int from, int tag)
{
    return MPI_Recv(x, n, MPI_INT, from, tag, world, MPI_STATUS_IGNORE);
}

static void layer_barrier(void) { MPI_Barrier(world); }

static void layer_bcast(int *x, int root) { MPI_Bcast(x, 1, MPI_INT, root, world); }

static MPI_Comm layer_dup(MPI_Comm of)
{
    MPI_Comm copy;
    MPI_Comm_dup(of, &copy);
    return copy;
}

static MPI_Comm layer_split(int colour)
{
    MPI_Comm part;
    MPI_Comm_split(world, colour, rank, &part);
    return part;
}

static MPI_Datatype layer_row(int n)
{
    MPI_Datatype type;
    MPI_Type_contiguous(n, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Says what went wrong, as such functions do. */
static void checked_send(const void *x, int n, MPI_Datatype type, int to, int tag)
{
    int code = MPI_Send(x, n, type, to, tag, world);
    if (code != MPI_SUCCESS) {
        char text[MPI_MAX_ERROR_STRING];
        int length;
        MPI_Error_string(code, text, &length);
        fprintf(stderr, "send: %s\n", text);
        MPI_Abort(world, 1);
    }
}

/* Its length is not known before. */
static int *probed_recv(int from, int tag, int *n)
{
    MPI_Status status;
    MPI_Probe(from, tag, world, &status);
    MPI_Get_count(&status, MPI_INT, n);
    int *x = malloc((size_t)*n * sizeof *x);
    MPI_Recv(x, *n, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, world, MPI_STATUS_IGNORE);
    return x;
}

static MPI_Request layer_irecv(int *x, int from)
{
    MPI_Request request;
    MPI_Irecv(x, 1, MPI_INT, from, 0, world, &request);
    return request;
}

static void layer_wait(MPI_Request *request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

/* As for counts that do not fit. */
static void big_recv(int *x, long n, int from)
{
    if (n < 1000) {
        MPI_Recv(x, (int)n, MPI_INT, from, 0, world, MPI_STATUS_IGNORE);
    } else {
        MPI_Datatype part;
        MPI_Type_contiguous((int)(n / 4), MPI_INT, &part);
        MPI_Type_commit(&part);
        MPI_Recv(x, 4, part, from, 0, world, MPI_STATUS_IGNORE);
        MPI_Type_free(&part);
    }
}

enum operation { SEND, RECEIVE };

static void dispatch(enum operation what, int *x, int with)
{
    switch (what) {
    case SEND: MPI_Ssend(x, 1, MPI_INT, with, 0, world); break;
    case RECEIVE: MPI_Recv(x, 1, MPI_INT, with, 0, world, MPI_STATUS_IGNORE); break;
    }
}

/* A layer over the layer. */
static void api_recv(int *x, int from) { layer_recv(x, 1, from, 0); }

#define CHECK(call)                \
    do {                           \
        if ((call) != MPI_SUCCESS) \
            MPI_Abort(world, 1);   \
    } while (0)
#define RECV(x, from)                                             \
    do {                                                          \
        MPI_Status status_;                                       \
        CHECK(MPI_Recv(x, 1, MPI_INT, from, 0, world, &status_)); \
    } while (0)
#define DEFINE_RECV(T, type) \
    static void recv_##T(T *x, int from) { MPI_Recv(x, 1, type, from, 0, world, MPI_STATUS_IGNORE); }

DEFINE_RECV(double, MPI_DOUBLE)
DEFINE_RECV(int, MPI_INT)

/* ---- functions that are no wrappers ---- */

static void halo(int *field)
{
    layer_recv(&field[1], 1, other, 0); /* @worker */
    layer_send(&field[0], 1, other, 0);
}

static void plain_halo(int *field)
{
    MPI_Request request;
    MPI_Irecv(&field[1], 1, MPI_INT, other, 1, world, &request);
    MPI_Send(&field[0], 1, MPI_INT, other, 2, world); /* @plain_worker */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(world);
}

__attribute__((noinline)) static int tree(int level)
{
    if (level == 0)
        MPI_Recv(&number, 1, MPI_INT, other, 0, world, MPI_STATUS_IGNORE); /* @recursion */
    else
        numbers[level] = tree(level - 1);
    return numbers[level] + level;
}

static void on_event(int from)
{
    MPI_Recv(&number, 1, MPI_INT, from, 0, world, MPI_STATUS_IGNORE); /* @callback */
}

static void collect(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Recv(&number, 1, MPI_INT, other, i, world, MPI_STATUS_IGNORE); /* @loop */
}

/* ---- the programs ---- */

static int function(void)
{
    layer_recv(&number, 1, other, 0); /* @function */
    return 0;
}

static int each_rank(void)
{
    if (rank == 0)
        layer_recv(&number, 1, 1, 0); /* @each_rank */
    else
        layer_recv(&number, 1, 0, 1); /* @each_rank */
    return 0;
}

static int many(void)
{
    layer_send(&number, 1, MPI_PROC_NULL, 0);
    layer_recv(&number, 1, MPI_PROC_NULL, 0);
    layer_barrier();
    if (rank == 0)
        layer_recv(&number, 1, 1, 7); /* @many */
    return 0;
}

static int dup_once(void)
{
    MPI_Comm mine = layer_dup(world); /* @dup_once */
    MPI_Barrier(mine);
    return 0;
}

static int dup_one_of(void)
{
    MPI_Comm first = layer_dup(world), third;
    MPI_Comm second = layer_dup(first); /* @dup_one_of */
    third = layer_dup(second);
    MPI_Comm_free(&first);
    MPI_Comm_free(&third);
    return 0;
}

static int split(void)
{
    MPI_Comm part = layer_split(0); /* @split */
    MPI_Barrier(part);
    return 0;
}

static int type(void)
{
    MPI_Datatype row = layer_row(4); /* @type */
    int size;
    MPI_Type_size(row, &size);
    return 0;
}

static int check_macro(void)
{
    CHECK(MPI_Recv(&number, 1, MPI_INT, other, 0, world, MPI_STATUS_IGNORE)); /* @check_macro */
    return 0;
}

static int call_macro(void)
{
    RECV(&number, other); /* @call_macro */
    return 0;
}

static int made_by_macro(void)
{
    if (rank == 0)
        recv_int(&number, 1); /* @made_by_macro */
    else
        recv_double(&real, 0);
    return 0;
}

static int probed(void)
{
    int n;
    free(probed_recv(other, 0, &n)); /* @probed */
    return 0;
}

static int two_layers(void)
{
    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, 0, world);
    else
        api_recv(&number, 0);
    api_recv(&number, other); /* @two_layers */
    return 0;
}

static int two_layers_once(void)
{
    api_recv(&numbers[2], other); /* @two_layers_once */
    return 0;
}

static int never_waited(void)
{
    MPI_Request first = layer_irecv(&numbers[0], other);
    layer_irecv(&numbers[1], other); /* @never_waited */
    layer_send(&number, 1, other, 0);
    layer_send(&number, 1, other, 0);
    layer_wait(&first);
    return 0;
}

static int wait(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    layer_wait(&request);
    request = layer_irecv(&number, other);
    layer_wait(&request); /* @wait */
    return 0;
}

static int big(void)
{
    big_recv(numbers, 4, MPI_PROC_NULL);
    big_recv(numbers, 4, other); /* @big */
    return 0;
}

static int dispatched(void)
{
    dispatch(SEND, &number, other); /* @dispatched */
    dispatch(RECEIVE, &number, other);
    return 0;
}

static int collectives(void)
{
    layer_barrier();
    if (rank == 0)
        layer_barrier(); /* @collectives */
    else
        layer_bcast(&number, 0); /* @collectives */
    return 0;
}

static int roots(void)
{
    layer_bcast(&number, 0);
    layer_bcast(&number, rank); /* @roots */
    return 0;
}

static int no_such_rank(void)
{
    layer_send(&number, 1, MPI_PROC_NULL, 0);
    layer_send(&number, 1, 2, 0); /* @no_such_rank */
    return 0;
}

static int types(void)
{
    if (rank == 0)
        checked_send(&real, 1, MPI_DOUBLE, 1, 0); /* @types */
    else
        layer_recv(numbers, 4, 0, 0); /* @types */
    return 0;
}

static int too_long(void)
{
    layer_recv(numbers, 1, MPI_PROC_NULL, 0);
    if (rank == 0)
        checked_send(numbers, 4, MPI_INT, 1, 0);
    else
        layer_recv(numbers, 2, 0, 0); /* @too_long */
    return 0;
}

static int lost(void)
{
    checked_send(&number, 1, MPI_INT, MPI_PROC_NULL, 0);
    if (rank == 0)
        checked_send(&number, 1, MPI_INT, 1, 0); /* @lost */
    return 0;
}

static int unsafe(void)
{
    layer_send(&number, 1, other, 0); /* @unsafe */
    layer_recv(&number, 1, other, 0);
    return 0;
}

static int worker(void)
{
    halo(numbers);
    halo(numbers + 2);
    return 0;
}

static int plain_worker(void)
{
    plain_halo(numbers);
    plain_halo(numbers + 2);
    return 0;
}

static int recursion(void)
{
    tree(2);
    return 0;
}

static int callback(void)
{
    quiet_each(other, on_event);
    return 0;
}

static int loop(void)
{
    collect(2);
    return 0;
}

static int stripped(void)
{
    quiet_recv(&number, other); /* @stripped */
    return 0;
}

static int stripped_dup(void)
{
    MPI_Comm copy;
    quiet_dup(world, &copy); /* @stripped_dup */
    return 0;
}

static void under_wrapper(int from) { quiet_recv(&number, from); }

static int stripped_below(void)
{
    under_wrapper(MPI_PROC_NULL);
    under_wrapper(other); /* @stripped_below */
    return 0;
}

#define PROGRAM(name) \
    {                 \
#name, name   \
    }

static const struct {
    const char *name;
    int (*run)(void); /* no call in them is the last thing that they do: the compiler would make it a jump */
} programs[] = {
    PROGRAM(function),
    PROGRAM(each_rank),
    PROGRAM(many),
    PROGRAM(dup_once),
    PROGRAM(dup_one_of),
    PROGRAM(split),
    PROGRAM(type),
    PROGRAM(check_macro),
    PROGRAM(call_macro),
    PROGRAM(made_by_macro),
    PROGRAM(probed),
    PROGRAM(two_layers),
    PROGRAM(two_layers_once),
    PROGRAM(never_waited),
    PROGRAM(wait),
    PROGRAM(big),
    PROGRAM(dispatched),
    PROGRAM(collectives),
    PROGRAM(roots),
    PROGRAM(no_such_rank),
    PROGRAM(types),
    PROGRAM(too_long),
    PROGRAM(lost),
    PROGRAM(unsafe),
    PROGRAM(worker),
    PROGRAM(plain_worker),
    PROGRAM(recursion),
    PROGRAM(callback),
    PROGRAM(loop),
    PROGRAM(stripped),
    PROGRAM(stripped_dup),
    PROGRAM(stripped_below),
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    world = MPI_COMM_WORLD;
    MPI_Comm_rank(world, &rank);
    other = 1 - rank;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (argc > 1 && strcmp(programs[i].name, argv[1]) == 0)
            programs[i].run();
    MPI_Finalize();
    return 0;
}

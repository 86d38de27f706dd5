/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What rank 0 does depends on a value that rank 1 has, and on nothing else: rank 1 gets it from rank 2 or 3,
 * whoever comes first, hands it to rank 0 and forgets it. If it is 3, rank 0 aborts. Until then its
 * state, and what it is told, are the same in both orders.
 *
 *   handed list         the ways to hand it over
 *   handed WAY          4 ranks
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 1 << 18 };

static int rank, value;
static int *many; /* filled with the value */

static void set_many(int to)
{
    for (int i = 0; i < MANY; i++)
        many[i] = to;
}

static void forget(void)
{
    value = 0;
    set_many(0);
}

/* What rank 0 does with it. */
static void take(int got)
{
    if (got == 3)
        MPI_Abort(MPI_COMM_WORLD, 7);
}

static void receive(int *to, int n) { MPI_Recv(to, n, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void taken(void)
{
    if (rank == 0)
        take(value);
    forget();
}

static void by_send(void)
{
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0)
        receive(&value, 1);
    taken();
}

static void by_large_send(void)
{
    set_many(value);
    if (rank == 1)
        MPI_Ssend(many, MANY, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0)
        receive(many, MANY);
    value = many[MANY - 1];
    taken();
}

/* It is still to be received when rank 1 has forgotten it; and its own state is the same again. */
static void by_early_send(void)
{
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    forget();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        receive(&value, 1);
        take(value);
    }
    forget();
}

static void by_isend(void)
{
    MPI_Request request;
    if (rank == 1)
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        receive(&value, 1);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    taken();
}

static void by_persistent(void)
{
    MPI_Request request;
    if (rank == 1)
        MPI_Send_init(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    if (rank == 0)
        MPI_Recv_init(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    if (rank < 2) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
    taken();
}

static void by_probe(void)
{
    MPI_Message message;
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    taken();
}

static void by_type(void)
{
    MPI_Datatype type;
    MPI_Type_vector(2, 1, 3, MPI_INT, &type);
    MPI_Type_commit(&type);
    int cells[4] = {0, 0, 0, value};
    if (rank == 1)
        MPI_Send(cells, 1, type, 0, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(cells, 1, type, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = cells[3];
    cells[3] = 0;
    MPI_Type_free(&type);
    taken();
}

/* Only its size tells. */
static void by_size(void)
{
    MPI_Status status;
    int got = 0;
    if (rank == 1)
        MPI_Send(many, value, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(many, MANY, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &got);
    }
    value = got;
    taken();
}

/* Rank 3 hands it on, and knows nothing of it before. */
static void by_way_of_another(void)
{
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
    if (rank == 3) {
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 3, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    taken();
}

static void by_bcast(void)
{
    MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
    taken();
}

static void by_ibcast(void)
{
    MPI_Request request;
    MPI_Ibcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    taken();
}

static void by_reduce(void)
{
    int sum = 0;
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    value = sum;
    taken();
}

static void by_allreduce(void)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    taken();
}

/* Rank 0 is the last of these, and only rank 1 the one before it. */
static void by_scan(void)
{
    MPI_Comm backwards;
    int sum = 0;
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    MPI_Exscan(&value, &sum, 1, MPI_INT, MPI_SUM, backwards);
    MPI_Comm_free(&backwards);
    value = sum;
    taken();
}

static void by_gather(void)
{
    int all[4] = {0, 0, 0, 0};
    MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    value = all[1];
    memset(all, 0, sizeof all);
    taken();
}

static void by_scatter(void)
{
    int all[4] = {value, 0, 0, 0}, mine = 0;
    MPI_Scatter(all, 1, MPI_INT, &mine, 1, MPI_INT, 1, MPI_COMM_WORLD);
    value = mine;
    all[0] = 0;
    taken();
}

static void by_alltoall(void)
{
    int give[4] = {value, value, value, value}, all[4] = {0, 0, 0, 0};
    MPI_Alltoall(give, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    value = all[1];
    memset(give, 0, sizeof give);
    memset(all, 0, sizeof all);
    taken();
}

/* Who is in a communicator. */
static void by_split(void)
{
    MPI_Comm some;
    int size = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? value == 3 : rank == 0, 0, &some);
    MPI_Comm_size(some, &size);
    MPI_Comm_free(&some);
    value = rank == 0 && size == 2 ? 3 : 0;
    taken();
}

static void by_intercomm(void)
{
    MPI_Comm halves, inter;
    int got = 0;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &halves);
    MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 5, &inter);
    MPI_Allreduce(&value, &got, 1, MPI_INT, MPI_SUM, inter); /* the sum of the others */
    MPI_Comm_free(&inter);
    MPI_Comm_free(&halves);
    value = got;
    taken();
}

/* Ranks 0 and 1 are two of several that call at once. */
static void by_sendrecv(void)
{
    int got = 0, other = rank ^ 1;
    MPI_Sendrecv(&value, 1, MPI_INT, other, 4, &got, 1, MPI_INT, other, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = got;
    taken();
}

static void by_poll(void)
{
    MPI_Request request;
    int done = 0;
    if (rank == 1)
        MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    taken();
}

static const struct {
    const char *name;
    void (*hand)(void);
} ways[] = {{"send", by_send},
            {"large", by_large_send},
            {"early", by_early_send},
            {"isend", by_isend},
            {"persistent", by_persistent},
            {"probe", by_probe},
            {"type", by_type},
            {"size", by_size},
            {"another", by_way_of_another},
            {"bcast", by_bcast},
            {"ibcast", by_ibcast},
            {"reduce", by_reduce},
            {"allreduce", by_allreduce},
            {"scan", by_scan},
            {"gather", by_gather},
            {"scatter", by_scatter},
            {"alltoall", by_alltoall},
            {"split", by_split},
            {"intercomm", by_intercomm},
            {"sendrecv", by_sendrecv},
            {"poll", by_poll}};

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "list";
    size_t k = 0, n = sizeof ways / sizeof *ways;
    for (; k < n && strcmp(way, ways[k].name) != 0; k++)
        if (strcmp(way, "list") == 0)
            puts(ways[k].name);
    if (k == n)
        return strcmp(way, "list") != 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    many = calloc(MANY, sizeof *many);
    /* The order of the first two does not matter: to what is before them a run can go back. */
    for (int i = 0; i < 4; i++) {
        if (rank == 1)
            MPI_Recv(i == 2 ? &value : &many[0], 1, MPI_INT, MPI_ANY_SOURCE, i / 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        else if (rank > 1 && i % 2)
            MPI_Send(&rank, 1, MPI_INT, 1, i / 2, MPI_COMM_WORLD);
        many[0] = 0;
    }
    ways[k].hand();
    free(many);
    MPI_Finalize();
    return 0;
}

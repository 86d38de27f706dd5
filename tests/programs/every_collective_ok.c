/* SPDX-License-Identifier: BSD-3-Clause */
/* Every collective in each of its forms: blocking, nonblocking, persistent, each with int and with large counts.
 * Under mpiexec it ends at Gather_init: MPICH 4.0.2 copies the root's own part at the first start only. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 3, ROOM = 8, NOTHING = -1 };

static int rank, in[ROOM], out[ROOM], want[ROOM];
static MPI_Comm comm;
static int given = NOTHING; /* what is in out[0] before */

static void clear(void)
{
    for (int i = 0; i < ROOM; i++)
        out[i] = NOTHING;
    out[0] = given;
}

static void check(const char *name)
{
    for (int i = 0; i < ROOM; i++) {
        if (out[i] == want[i])
            continue;
        printf("%s: rank %d has %d at %d, not %d\n", name, rank, out[i], i, want[i]);
        exit(1);
    }
}

static void expect(int n, const int *values)
{
    for (int i = 0; i < ROOM; i++)
        want[i] = i < n ? values[i] : NOTHING;
}

#define EXPECT(...) expect(sizeof(int[]){__VA_ARGS__} / sizeof(int), (int[]){__VA_ARGS__})

static void wait_for(MPI_Request *q)
{
    MPI_Wait(q, MPI_STATUS_IGNORE);
    if (*q != MPI_REQUEST_NULL)
        exit(1);
}

static void start_twice(MPI_Request *q, const char *name)
{
    for (int i = 0; i < 2; i++) {
        clear();
        MPI_Start(q);
        MPI_Wait(q, MPI_STATUS_IGNORE);
        check(name);
    }
    MPI_Request_free(q);
}

#define UNPACK(...) __VA_ARGS__

/* X: the blocking name; I: the nonblocking one; the arguments before the communicator, with int and with large counts. */
#define EACH(X, I, INTS, LARGE)                                   \
    do {                                                          \
        MPI_Request q;                                            \
        clear();                                                  \
        MPI_##X(UNPACK INTS, comm);                               \
        check(#X);                                                \
        clear();                                                  \
        MPI_##X##_c(UNPACK LARGE, comm);                          \
        check(#X "_c");                                           \
        clear();                                                  \
        MPI_##I(UNPACK INTS, comm, &q);                           \
        wait_for(&q);                                             \
        check(#I);                                                \
        clear();                                                  \
        MPI_##I##_c(UNPACK LARGE, comm, &q);                      \
        wait_for(&q);                                             \
        check(#I "_c");                                           \
        MPI_##X##_init(UNPACK INTS, comm, MPI_INFO_NULL, &q);     \
        start_twice(&q, #X "_init");                              \
        MPI_##X##_init_c(UNPACK LARGE, comm, MPI_INFO_NULL, &q);  \
        start_twice(&q, #X "_init_c");                            \
    } while (0)
#define SAME(X, I, ...) EACH(X, I, (__VA_ARGS__), (__VA_ARGS__))

static const MPI_Datatype types[N] = {MPI_INT, MPI_INT, MPI_INT};
static const int ones[N] = {1, 1, 1}, uneven[N] = {1, 2, 1}, upward[N] = {0, 1, 2}, downward[N] = {2, 1, 0}, places[N] = {0, 1, 3};
static const MPI_Count ones_c[N] = {1, 1, 1}, uneven_c[N] = {1, 2, 1};
static const MPI_Aint upward_c[N] = {0, 1, 2}, downward_c[N] = {2, 1, 0}, places_c[N] = {0, 1, 3};
static const int bytes_up[N] = {0, 4, 8}, bytes_down[N] = {8, 4, 0};
static const MPI_Aint bytes_up_c[N] = {0, 4, 8}, bytes_down_c[N] = {8, 4, 0};

static void gathering(void)
{
    EXPECT(0, 100, 200);
    SAME(Allgather, Iallgather, in, 1, MPI_INT, out, 1, MPI_INT);
    EXPECT(0, 100, 101, 200);
    EACH(Allgatherv, Iallgatherv, (in, uneven[rank], MPI_INT, out, uneven, places, MPI_INT),
         (in, uneven[rank], MPI_INT, out, uneven_c, places_c, MPI_INT));
    rank == 1 ? EXPECT(0, 100, 200) : expect(0, NULL);
    SAME(Gather, Igather, in, 1, MPI_INT, out, 1, MPI_INT, 1);
    rank == 2 ? EXPECT(0, 100, 101, 200) : expect(0, NULL);
    EACH(Gatherv, Igatherv, (in, uneven[rank], MPI_INT, out, uneven, places, MPI_INT, 2),
         (in, uneven[rank], MPI_INT, out, uneven_c, places_c, MPI_INT, 2));
}

static void scattering(void)
{
    given = rank == 1 ? 7 : NOTHING;
    EXPECT(7);
    SAME(Bcast, Ibcast, out, 1, MPI_INT, 1);
    given = NOTHING;
    EXPECT(200 + rank);
    SAME(Scatter, Iscatter, in, 1, MPI_INT, out, 1, MPI_INT, 2);
    rank == 1 ? EXPECT(1, 2) : EXPECT(places[rank]);
    EACH(Scatterv, Iscatterv, (in, uneven, places, MPI_INT, out, uneven[rank], MPI_INT, 0),
         (in, uneven_c, places_c, MPI_INT, out, uneven[rank], MPI_INT, 0));
}

static void exchanging(void)
{
    EXPECT(rank, 100 + rank, 200 + rank);
    SAME(Alltoall, Ialltoall, in, 1, MPI_INT, out, 1, MPI_INT);
    EXPECT(200 + rank, 100 + rank, rank);
    EACH(Alltoallv, Ialltoallv, (in, ones, upward, MPI_INT, out, ones, downward, MPI_INT),
         (in, ones_c, upward_c, MPI_INT, out, ones_c, downward_c, MPI_INT));
    EACH(Alltoallw, Ialltoallw, (in, ones, bytes_up, types, out, ones, bytes_down, types),
         (in, ones_c, bytes_up_c, types, out, ones_c, bytes_down_c, types));
}

static void reducing(void)
{
    EXPECT(300, 303);
    SAME(Allreduce, Iallreduce, in, out, 2, MPI_INT, MPI_SUM);
    rank == 2 ? EXPECT(200, 201) : expect(0, NULL);
    SAME(Reduce, Ireduce, in, out, 2, MPI_INT, MPI_MAX, 2);
    rank == 1 ? EXPECT(303, 306) : EXPECT(300 + 3 * places[rank]);
    EACH(Reduce_scatter, Ireduce_scatter, (in, out, uneven, MPI_INT, MPI_SUM), (in, out, uneven_c, MPI_INT, MPI_SUM));
    EXPECT(300 + 3 * rank);
    SAME(Reduce_scatter_block, Ireduce_scatter_block, in, out, 1, MPI_INT, MPI_SUM);
    EXPECT(rank * (rank + 1) / 2 * 100);
    SAME(Scan, Iscan, in, out, 1, MPI_INT, MPI_SUM);
    rank == 0 ? expect(0, NULL) : EXPECT(rank * (rank - 1) / 2 * 100); /* MPICH leaves the first rank's buffer alone */
    SAME(Exscan, Iexscan, in, out, 1, MPI_INT, MPI_SUM);
}

/* A ring: the neighbours are the one before and the one behind. */
static void neighbours(void)
{
    int before = 100 * ((rank + N - 1) % N), behind = 100 * ((rank + 1) % N);
    EXPECT(before, behind);
    SAME(Neighbor_allgather, Ineighbor_allgather, in, 1, MPI_INT, out, 1, MPI_INT);
    EXPECT(NOTHING, behind, before);
    EACH(Neighbor_allgatherv, Ineighbor_allgatherv, (in, 1, MPI_INT, out, ones, downward, MPI_INT),
         (in, 1, MPI_INT, out, ones_c, downward_c, MPI_INT));
    EXPECT(before + 1, behind);
    SAME(Neighbor_alltoall, Ineighbor_alltoall, in, 1, MPI_INT, out, 1, MPI_INT);
    EXPECT(NOTHING, behind, before + 1);
    EACH(Neighbor_alltoallv, Ineighbor_alltoallv, (in, ones, upward, MPI_INT, out, ones, downward, MPI_INT),
         (in, ones_c, upward_c, MPI_INT, out, ones_c, downward_c, MPI_INT));
    EACH(Neighbor_alltoallw, Ineighbor_alltoallw, (in, ones, bytes_up_c, types, out, ones, bytes_down_c, types),
         (in, ones_c, bytes_up_c, types, out, ones_c, bytes_down_c, types));
}

static void barriers(void)
{
    MPI_Request q;
    expect(0, NULL);
    MPI_Barrier(comm);
    MPI_Ibarrier(comm, &q);
    wait_for(&q);
    MPI_Barrier_init(comm, MPI_INFO_NULL, &q);
    start_twice(&q, "Barrier_init");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROOM; i++)
        in[i] = 100 * rank + i;
    comm = MPI_COMM_WORLD;
    gathering();
    scattering();
    exchanging();
    reducing();
    barriers();
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){N}, (int[]){1}, 0, &comm);
    neighbours();
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}

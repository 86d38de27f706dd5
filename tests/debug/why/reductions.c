/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of a communicator whose order is turned round: each has its own way to say whose value it was,
 * and where in their buffers it lay. */
/* @ask 3: focus 0; why before */
/* @ask 3: goto end; focus 0; why scattered[1] */
/* @ask 3: goto end; focus 0; why best.where */
/* @ask 3: goto end; focus 1; why lowest */
/* @ask 3: goto end; focus 0; why all; why 1 */
/* @says of\n  rank 2: 202\n  rank 1: 102\n`why RANK` */
/* @says of\n  rank 2: 205\n  rank 1: 105\n  rank 0: 5\n`why RANK` */
/* @says there it is mine.where */
/* @says rank 0: 1001  <- it is this */
/* @says rank 2: 0  <- it is this */
#include <mpi.h>

int main(int argc, char **argv)
{
    struct {
        double value;
        int where;
    } mine, best;
    int rank, own[6], before = 0, scattered[3] = {0}, counts[] = {2, 1, 3}, ok = -1, all = 1, lowest;
    MPI_Comm turned;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &turned);
    for (int i = 0; i < 6; i++)
        own[i] = 100 * rank + i + 1;
    MPI_Exscan(&own[1], &before, 1, MPI_INT, MPI_SUM, turned);
    MPI_Reduce_scatter(own, scattered, counts, MPI_INT, MPI_SUM, turned);
    mine.value = rank == 1 ? 7.5 : 1;
    mine.where = 10 + rank;
    MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, turned);
    lowest = own[0] + 1000;
    MPI_Ireduce(rank == 1 ? MPI_IN_PLACE : &lowest, &lowest, 1, MPI_INT, MPI_MIN, 1, turned, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    ok = rank < 2; /* @wrong 1 */
    MPI_Iallreduce(&ok, &all, 1, MPI_INT, MPI_LAND, turned, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return all;
}

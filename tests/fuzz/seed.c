/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the inputs of the fuzz targets begin from (record.py): a little of everything that isp keeps of a run,
 * in few calls. Three ranks; some interleavings end in a deadlock.
 */
#include <mpi.h>
#include <stdio.h>

static void answer(int rank)
{
    int a = rank, b = 0, flag, index;
    MPI_Request requests[2];
    MPI_Status status;
    if (rank) {
        MPI_Send(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Ssend(&a, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        return;
    }
    MPI_Irecv(&a, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&b, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitany(2, requests, &index, &status);
    MPI_Test(&requests[1 - index], &flag, &status);
    if (!flag)
        MPI_Wait(&requests[1 - index], &status);
    MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    MPI_Recv(&a, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
    /* too early of rank 2: a deadlock */
    MPI_Recv(&b, 1, MPI_INT, status.MPI_SOURCE == 1 ? 2 : 2, 2, MPI_COMM_WORLD, &status);
}

int main(int argc, char **argv)
{
    int rank, sum, one = 1, lengths[] = {1, 2};
    MPI_Aint at[] = {0, 8};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, type;
    struct {
        int i;
        double d[2];
    } data = {0};
    MPI_Comm half, leaked;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d\n", rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Comm_dup(MPI_COMM_WORLD, &leaked);
    MPI_Type_create_struct(2, lengths, at, types, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(&data, 1, type, 0, MPI_COMM_WORLD);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 0, half);
    answer(rank);
    MPI_Type_free(&type);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}

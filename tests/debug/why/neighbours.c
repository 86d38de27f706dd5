/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbours in a ring, a type of absolute addresses, a probed message, partitions, and two groups, whose sum
 * cannot be followed. */
/* @ask 3: focus 0; why swapped[1] */
/* @ask 3: goto end; focus 0; why got[0] */
/* @ask 3: goto end; focus 0; why got[1] */
/* @ask 3: goto end; focus 0; why part[2] */
/* @ask 3: goto end; focus 0; why sum */
/* @ask 3: goto end; focus 0; why other[1]; why */
/* @says there it is two[0] */
/* @says there it is part[2] */
/* @says written by MPI_Allreduce here, and can be followed no further */
#include <mpi.h>

static void partitions(int rank, int *part)
{
    MPI_Request request;
    for (int i = 0; i < 4 && rank == 1; i++)
        part[i] = 7 * i + 1;
    if (rank == 1)
        MPI_Psend_init(part, 4, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 0)
        MPI_Precv_init(part, 4, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank == 2)
        return;
    MPI_Start(&request);
    if (rank == 1)
        MPI_Pready_range(0, 3, request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void absolute(int rank, int *mine, int *got)
{
    int one = 1;
    MPI_Aint place;
    MPI_Datatype integer = MPI_INT, type;
    MPI_Get_address(mine, &place);
    MPI_Type_create_struct(1, &one, &place, &integer, &type);
    MPI_Type_commit(&type);
    if (rank == 1)
        MPI_Send(MPI_BOTTOM, 1, type, 0, 3, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(got, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

static void groups(int rank, int *other, int *sum)
{
    int mine;
    MPI_Comm half, both;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0 ? 1 : 0, 9, &both);
    mine = 900 + rank; /* @wrong 2 */
    MPI_Allgather(&mine, 1, MPI_INT, other, 1, MPI_INT, both);
    MPI_Allreduce(&mine, sum, 1, MPI_INT, MPI_SUM, both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    int rank, size, around = 1, swapped[2] = {0}, got[2] = {0}, part[4] = {0}, other[2] = {0}, sum = 0;
    MPI_Comm ring;
    MPI_Message message;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &around, 0, &ring);
    int two[2] = {10 * rank + 1, 10 * rank + 2};
    MPI_Neighbor_alltoall(two, 1, MPI_INT, swapped, 1, MPI_INT, ring);
    MPI_Comm_free(&ring);
    absolute(rank, &two[1], &got[0]);
    if (rank == 2)
        MPI_Send(&two[1], 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Mprobe(2, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&got[1], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    partitions(rank, part);
    groups(rank, other, &sum);
    MPI_Finalize();
    return sum == 0;
}

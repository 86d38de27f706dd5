/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes in different groups, and packed data, which may be sent or received as any type. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, i[4] = {1, 2, 3, 4}, at = 0;
    double x = 0.5;
    char room[64];
    MPI_Datatype eight;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(8, MPI_BYTE, &eight);
    MPI_Type_commit(&eight);
    if (rank == 0) {
        MPI_Send(i, 2, eight, 1, 0, MPI_COMM_WORLD);
        MPI_Send(i, 4, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Pack(i, 4, MPI_INT, room, sizeof room, &at, MPI_COMM_WORLD);
        MPI_Send(room, at, MPI_PACKED, 1, 2, MPI_COMM_WORLD);
        MPI_Pack(&x, 1, MPI_DOUBLE, room, sizeof room, &at, MPI_COMM_WORLD);
        MPI_Send(room, at, MPI_PACKED, 1, 3, MPI_COMM_WORLD);
    } else {
        int k[4] = {0}, size, n;
        MPI_Recv(k, 16, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(k[3] == 4);
        MPI_Recv(room, sizeof room, MPI_PACKED, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_PACKED, &size);
        MPI_Unpack(room, size, &at, k, 4, MPI_INT, MPI_COMM_WORLD);
        assert(k[2] == 3);
        MPI_Recv(k, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
        MPI_Get_elements(&status, MPI_INT, &n);
        assert(n == 4 && k[1] == 2);
        MPI_Recv(room, sizeof room, MPI_PACKED, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        at = 0;
        MPI_Unpack(room, sizeof room, &at, k, 4, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(room, sizeof room, &at, &x, 1, MPI_DOUBLE, MPI_COMM_WORLD);
        assert(x == 0.5);
    }
    MPI_Type_free(&eight);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pack and MPI_Unpack: what they are given is not known, so each is named, and one asks on for its
 * buffer. */
/* @ask 3: focus 0; why price; why *(double *)(box + 4); why; why; why price */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, count = 0, at = 0;
    double price = 0;
    char box[64] __attribute__((aligned(8))) = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        count = 3;
        price = -9; /* @wrong 2 */
        MPI_Pack(&count, 1, MPI_INT, box, 64, &at, MPI_COMM_WORLD);
        MPI_Pack(&price, 1, MPI_DOUBLE, box, 64, &at, MPI_COMM_WORLD);
        MPI_Send(box, at, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(box, 12, MPI_PACKED, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(box, 12, MPI_PACKED, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(box, 12, MPI_PACKED, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(box, 64, &at, &count, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(box, 64, &at, &price, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return price > 0;
}

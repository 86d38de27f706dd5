/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Bytes have no sum. */
/* Twin: small integers have a sum. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    unsigned char x = 1, y;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef TWIN
    MPI_Allreduce(&x, &y, 1, MPI_UNSIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
#else
    MPI_Allreduce(&x, &y, 1, MPI_BYTE, MPI_SUM, MPI_COMM_WORLD); /* @invalid-op */
#endif
    MPI_Finalize();
    return 0;
}

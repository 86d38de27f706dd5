/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* All members of a reduction give as many items (MPI-4.0, 6.9.6). One that says it has none goes on at once where MPI does not
 * synchronize, and is found out when the others have called. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#else
    MPI_Allreduce(&value, &sum, rank != 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* @type-mismatch */
#endif
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank 1 exchanges in place, the others do not: all must, or none. */
/* Twin: all ranks exchange in place. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, out[3] = {0}, in[3] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#ifdef TWIN
    if (1)
#else
    if (rank == 1)
#endif
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, MPI_COMM_WORLD); /* @collective-mismatch */
    else
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* All ranks exchange in place. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, out[3] = {0}, in[3] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (1)
        MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT, MPI_COMM_WORLD);
    else
        MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

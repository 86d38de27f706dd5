/* SPDX-License-Identifier: BSD-3-Clause */
/* Names that stand for one machine type: what MPICH lets match beyond equal names. A message that holds nothing has no type. */
#include <mpi.h>

int main(int argc, char **argv)
{
    const MPI_Datatype names[][2] = {
        {MPI_INT, MPI_INT32_T},        {MPI_INT, MPI_INTEGER},         {MPI_LONG, MPI_AINT},
        {MPI_LONG_LONG, MPI_INT64_T},  {MPI_UNSIGNED_CHAR, MPI_UINT8_T}, {MPI_DOUBLE, MPI_DOUBLE_PRECISION},
        {MPI_C_COMPLEX, MPI_COMPLEX},  {MPI_COUNT, MPI_OFFSET},        {MPI_CHARACTER, MPI_CHAR},
    };
    int rank;
    double x = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (rank == 0) {
            MPI_Send(&x, 1, names[i][0], 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&x, 1, names[i][0], 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&x, 1, names[i][1], 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&x, 1, names[i][1], 0, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        MPI_Send(&x, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

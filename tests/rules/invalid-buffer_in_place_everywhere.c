/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* All ranks of a reduction pass MPI_IN_PLACE, which only its root may. */
/* Twin: the root alone passes MPI_IN_PLACE. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 1;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
#ifdef TWIN
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &x, &x, 1, MPI_INT, MPI_SUM, 0, comm);
#else
    MPI_Reduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_SUM, 0, comm); /* @invalid-buffer */
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}

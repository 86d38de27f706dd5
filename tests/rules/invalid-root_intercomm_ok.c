/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* On an intercommunicator the root says MPI_ROOT, and the others of its group MPI_PROC_NULL, of whom nothing else means anything. */
#include <stddef.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 7;
    MPI_Comm part, inter;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, rank, &part);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, rank == 2 ? 0 : 2, 0, &inter);
    if (rank == 1)
        MPI_Bcast(NULL, 0, MPI_BYTE, MPI_PROC_NULL, inter);
    else
        MPI_Bcast(&x, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The functions are called through a table that the linker has filled (MPI-4.0, section 15.2.1: they are
 * functions). */
#include <mpi.h>

static const struct {
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
} mpi = {PMPI_Send, PMPI_Recv};

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        mpi.receive(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifdef TWIN
        mpi.receive(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
#else
        mpi.receive(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status); /* @deadlock */
#endif
    } else {
        mpi.send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */

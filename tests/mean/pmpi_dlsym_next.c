/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* The program finds the next MPI_Recv behind itself, as a tool does, and receives with it: the order of two
 * messages is not determined (MPI-4.0, section 3.5), whoever calls. */
#include <dlfcn.h>
#include <mpi.h>

typedef int receive_function(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);

int main(int argc, char **argv)
{
    receive_function *receive = (receive_function *)dlsym(RTLD_NEXT, "MPI_Recv");
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        receive(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifdef TWIN
        receive(&value, 1, MPI_INT, 3 - status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
#else
        receive(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &status); /* @deadlock */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */

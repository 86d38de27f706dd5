/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The receive was posted before the barrier and is complete after it: only its completion makes room (MPI-4.0, 3.6). In the twin it is
 * complete before. */
#include <mpi.h>

#define SPACE(n) ((n) * ((int)sizeof(int) + MPI_BSEND_OVERHEAD))

int main(int argc, char **argv)
{
    static char space[SPACE(1)];
    int rank, x = 0, size;
    char *old;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(space, SPACE(1));
    if (rank == 0) {
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @bsend-buffer */
    } else {
        MPI_Request request;
        MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
#else
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
#endif
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}

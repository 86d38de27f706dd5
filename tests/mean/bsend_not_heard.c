/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* There is room for one message. When rank 0 sends the second it has been told something by rank 2, but nothing of the first one's
 * receive: that message may still be in the buffer (MPI-4.0, 3.6). In the twin rank 1 answers. */
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
#ifdef TWIN
        MPI_Recv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        MPI_Recv(&x, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* @bsend-buffer */
    } else if (rank == 1) {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
    } else {
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
    }
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}

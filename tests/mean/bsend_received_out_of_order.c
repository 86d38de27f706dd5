/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The second message is received first, which makes room for one (MPI-4.0, 3.6). */
#include <mpi.h>

#define SPACE(n) ((n) * ((int)sizeof(int) + MPI_BSEND_OVERHEAD))

int main(int argc, char **argv)
{
    static char space[SPACE(2)];
    int rank, x = 0, size;
    char *old;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(space, SPACE(2));
    if (rank == 0) {
        MPI_Bsend(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Bsend(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bsend(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
#ifndef TWIN
        MPI_Bsend(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD); /* @bsend-buffer */
#endif
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    }
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 1 */
/* A message to itself takes room until it is received (MPI-4.0, 3.6). */
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
    MPI_Bsend(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
#ifdef TWIN
    MPI_Recv(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Bsend(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
#else
    MPI_Bsend(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD); /* @bsend-buffer */
    MPI_Recv(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    MPI_Recv(&x, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}

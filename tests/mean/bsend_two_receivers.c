/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* There is room for two messages, to ranks 1 and 2. Rank 2 has answered, so one place is free, and no more (MPI-4.0, 3.6). */
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
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Bsend(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Recv(&x, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bsend(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#ifdef TWIN
        MPI_Recv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Bsend(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
#else
        MPI_Bsend(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD); /* @bsend-buffer */
        MPI_Recv(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        if (rank == 2)
            for (int i = 0; i < 2; i++)
                MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}

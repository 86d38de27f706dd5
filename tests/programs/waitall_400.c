/* SPDX-License-Identifier: BSD-3-Clause */
/* Waitall over 400 receives, of which the last has no message. */
/* Twin: Waitall over 400 requests on both sides. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x[400] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request r[400];
    if (rank == 0) {
        for (int k = 0; k < 400; k++)
            MPI_Irecv(&x[k], 1, MPI_INT, 1, k, MPI_COMM_WORLD, &r[k]);
#ifdef TWIN
    } else {
        for (int k = 0; k < 400; k++)
            MPI_Isend(&x[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &r[k]);
    }
    MPI_Waitall(400, r, MPI_STATUSES_IGNORE);
#else
        MPI_Waitall(400, r, MPI_STATUSES_IGNORE); /* @deadlock */
    } else {
        for (int k = 0; k < 399; k++)
            MPI_Isend(&x[k], 1, MPI_INT, 0, k, MPI_COMM_WORLD, &r[k]);
        MPI_Waitall(399, r, MPI_STATUSES_IGNORE);
    }
#endif
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Buffer_detach(buffer, &n) is a common mistake without consequence: MPI writes the buffer's address into the buffer, which is
 * the program's again by then (MPI-4.0, 3.6). What the program wrote before that is an error. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, x = 1, size = (int)sizeof x + MPI_BSEND_OVERHEAD;
    char *buffer = malloc((size_t)size);

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(buffer, size);
        MPI_Bsend(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifndef TWIN
        buffer[0]++;
#endif
        MPI_Buffer_detach(buffer, &size); /* @bsend-buffer */
    } else {
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    free(buffer);
    return 0;
}

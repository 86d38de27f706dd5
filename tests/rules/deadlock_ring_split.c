/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 6 */
/* A ring in each half: all send first, and wait for the receive. */
/* Twin: a ring in each half: the last rank receives first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, me, size, x = 0, y;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 3, rank, &half);
    MPI_Comm_rank(half, &me);
    MPI_Comm_size(half, &size);
#ifdef TWIN
    if (me < size - 1) {
#else
    if (me < size) {
#endif
        MPI_Ssend(&x, 1, MPI_INT, (me + 1) % size, 0, half); /* @deadlock */
        MPI_Recv(&y, 1, MPI_INT, (me + size - 1) % size, 0, half, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&y, 1, MPI_INT, (me + size - 1) % size, 0, half, MPI_STATUS_IGNORE);
        MPI_Ssend(&x, 1, MPI_INT, (me + 1) % size, 0, half);
    }
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/*
 * A message is taken by MPI_Mprobe and never received, and its sender waits in MPI_Send: for ever, where MPI
 * does not buffer it (MPI-4.0, section 3.4; a matched probe receives nothing, 3.8.2). That nobody receives it
 * is a warning (leak-message), so it does not stand for the deadlock as a lost message would.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 1;
    MPI_Message message;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Mprobe(1, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* @leak-message */
    else
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* @unsafe-buffering */
    MPI_Finalize();
    return 0;
}

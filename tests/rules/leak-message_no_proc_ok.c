/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A probe of MPI_PROC_NULL finds MPI_MESSAGE_NO_PROC, which nobody need receive. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

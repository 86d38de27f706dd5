/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 --timeout=4 */
/* Rank 2 waits for a file that rank 0 makes once it has received a first message. Nothing of that is MPI's
 * business, and rank 0 always gets a message (MPI-4.0, 3.5: progress): neither a hang nor a deadlock,
 * whichever of ranks 1 and 3 comes first. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    char name[64];
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    value = (int)getpid();
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "/tmp/hang_file_wait.%d", value);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        assert(status.MPI_SOURCE == 1); /* @assertion */
#endif
        usleep(1000000); /* a look in vain comes first: that a single one would be repeated nobody knows */
        fclose(fopen(name, "w"));
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &status);
        remove(name);
    } else if (rank == 2) {
        while (access(name, F_OK) != 0)
            usleep(1000);
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

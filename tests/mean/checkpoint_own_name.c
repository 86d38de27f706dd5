/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Each start of the program makes a file of its own, of which only it knows the name. No other run ever finds
 * it: there is nothing that an interleaving has left for another one, though all of those that go on from a
 * checkpoint have looked whether the name was free, and have taken it (then, all at once). The message that
 * comes second is wrong in one of two orders (MPI-4.0, 3.5); not so in the twin. */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first, second;
    char name[80];
    struct timespec now;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        clock_gettime(CLOCK_REALTIME, &now);
        snprintf(name, sizeof name, "own.%d.%ld.%ld", (int)getpid(), (long)now.tv_sec, now.tv_nsec);
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL, 0600);
        assert(fd >= 0);
        close(fd);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifdef TWIN
        assert(first + second == 3);
#else
        assert(second == 2); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

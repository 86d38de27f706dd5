/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 --timeout=2 */
/* Rank 3 computes for longer in one run than in the next, and calls the same whatever that takes. While it
 * does, the others go on without it (a quarter of the time-out), and find its message among those that wait
 * the next time: that is no nondeterminism. Its message may be the first all the same (MPI-4.0, 3.5). */
/* interleavings 5, twin 6 */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Every other time. By calls that isp does not see, to which it would be the program's input. */
static void compute(void)
{
    static const char mark[] = "/tmp/isp_slow_once";
    if (syscall(SYS_mkdirat, AT_FDCWD, mark, 0755) == 0)
        usleep(700000);
    else
        syscall(SYS_unlinkat, AT_FDCWD, mark, AT_REMOVEDIR);
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        assert(status.MPI_SOURCE != 3); /* @assertion */
#endif
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else {
        if (rank == 3)
            compute();
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

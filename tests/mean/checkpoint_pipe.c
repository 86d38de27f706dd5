/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* What is in a pipe is taken out once in each run (POSIX, read); MPI says nothing about it. Only that rank 0
 * got the message of rank 2 first is wrong: each run has the bytes that it has written itself. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, first, second, fds[2];
    char bytes[4] = "abc", got[4] = "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        assert(pipe(fds) == 0 && fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0 && write(fds[1], bytes, 3) == 3);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(read(fds[0], got, 4) == 3 && got[0] == 'a');
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        assert(first != 2); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

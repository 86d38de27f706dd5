/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* As checkpoint_leftover, with a semaphore of System V, which stays when the program is over. The twin removes
 * it. */
/* incomplete: which those before it have left */
#include <mpi.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

#ifdef TWIN
enum { KEY = 0x15b10000 };
#else
enum { KEY = 0x15b20000 };
#endif

int main(int argc, char **argv)
{
    int rank, first, second, id;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        id = semget(KEY + (int)getuid(), 1, IPC_CREAT | 0600);
        if (id < 0 || semctl(id, 0, GETVAL) == 7)
            MPI_Abort(MPI_COMM_WORLD, 1);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (semctl(id, 0, SETVAL, first) != 0)
            MPI_Abort(MPI_COMM_WORLD, 2);
#ifndef TWIN
        if (first == 2) /* the last one in the search: nothing stays for good */
#endif
            semctl(id, 0, IPC_RMID);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 2 */

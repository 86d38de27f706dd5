/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread spins for ever for one that waits for a message that nobody sends. It could still send it itself, for all that can be
 * seen: so this is a hang. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int got;

static void *help(void *unused)
{
    int n = 0;
    MPI_Recv(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    got = 1;
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, n = 0;
    pthread_t helper;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&helper, NULL, help, NULL);
        while (!got) /* @hang? */
            ;
        pthread_join(helper, NULL);
    } else {
        MPI_Ssend(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads wait for one semaphore, and the main one lets in one of them at a time: which one comes first is
 * decided neither by POSIX (sem_post) nor by isp, which says so; and MPI does not order what threads call
 * (MPI-4.0, 3.5). In the twin each has a semaphore of its own. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

#ifdef TWIN
enum { GATES = 2 };
#else
enum { GATES = 1 };
#endif

static sem_t gates[GATES];

/* To itself, with a tag of its own: no call of the other one competes. */
static void *send(void *number)
{
    int tag = *(int *)number, got;
    sem_wait(&gates[tag % GATES]);
    MPI_Sendrecv(&tag, 1, MPI_INT, 0, tag, &got, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    assert(got == tag);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {0, 1};
    pthread_t threads[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < GATES; i++)
            sem_init(&gates[i], 0, 0);
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, send, &numbers[i]);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            sem_post(&gates[i % GATES]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < 2; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
/* incomplete: one of several threads was woken that waited for the same */
/* interleavings 1, twin 1 */

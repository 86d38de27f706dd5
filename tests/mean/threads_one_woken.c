/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 --buffering=zero */
/* Two threads wait for one semaphore, and the main one lets in one of them at a time: which one comes first is
 * decided neither by POSIX (sem_post) nor by isp, which says so; and MPI does not order what threads call
 * (MPI-4.0, 3.5). In the twin each has a semaphore of its own. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

#ifdef TWIN
enum { SECOND = 1 };
#else
enum { SECOND = 0 };
#endif

static sem_t gates[2];
static int tags[] = {0, 1};

static void *hand_in(void *tag)
{
    int number = 0, answer, which = *(int *)tag;
    sem_wait(&gates[which * SECOND]);
    MPI_Sendrecv(&number, 1, MPI_INT, 1, which, &answer, 1, MPI_INT, 1, which, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, number = 0, seen = 0;
    pthread_t threads[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++) {
            sem_init(&gates[i], 0, 0);
            pthread_create(&threads[i], NULL, hand_in, &tags[i]);
        }
        for (int i = 0; i < 2; i++) { /* the next one, when the one before has sent */
            MPI_Recv(&number, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sem_post(&gates[i * SECOND]);
        }
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    } else {
        MPI_Status status;
        for (int i = 0; i < 2; i++) {
            MPI_Send(&number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            MPI_Recv(&number, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Send(&number, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD);
            seen += status.MPI_TAG;
        }
        assert(seen == 1);
    }
    MPI_Finalize();
    return 0;
}
/* incomplete: one of several threads was woken that waited for the same */
/* interleavings 1, twin 1 */

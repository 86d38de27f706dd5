/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads send under one mutex what a receiver takes in this order only. If the second one gets the mutex
 * first, and MPI does not buffer, it waits with the mutex for a receive that comes after the other message:
 * unsafe (MPI-4.0, 3.5). The calls do not compete, since their tags differ, but their order matters. Who gets
 * it first is the machine's to say; here MAIN_IS_LATE in the environment stands for that, so that the test is
 * sure. With BOTH_POSTED both receives are posted before either is waited for. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static void hand_in(int tag) { MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD); }

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&one_at_a_time);
    hand_in(2);
    pthread_mutex_unlock(&one_at_a_time);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[2];
    MPI_Request requests[2];
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (!getenv("MAIN_IS_LATE"))
            pthread_mutex_lock(&one_at_a_time);
        pthread_create(&thread, NULL, second, NULL);
        if (getenv("MAIN_IS_LATE")) {
            pthread_join(thread, NULL);
            pthread_mutex_lock(&one_at_a_time);
        }
        hand_in(1);
        pthread_mutex_unlock(&one_at_a_time);
        if (!getenv("MAIN_IS_LATE"))
            pthread_join(thread, NULL);
    } else {
        for (int i = 0; i < 2; i++) {
            MPI_Irecv(&numbers[i], 1, MPI_INT, 0, i + 1, MPI_COMM_WORLD, &requests[i]);
            if (!getenv("BOTH_POSTED"))
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        }
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

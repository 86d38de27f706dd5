/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of two threads with two tags: a receive of any tag takes either (MPI-4.0, 3.5); receives that name the tags do not mind. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static void *hand_in(void *tag)
{
    MPI_Send(tag, 1, MPI_INT, 1, *(int *)tag, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, level, tags[] = {0, 1}, first = 0, second = 1;
    pthread_t thread;
    MPI_Status status;

#ifndef TWIN
    first = second = MPI_ANY_TAG;
#endif
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, NULL, hand_in, &tags[1]);
        hand_in(&tags[0]);
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(tags, 1, MPI_INT, 0, first, MPI_COMM_WORLD, &status);
        assert(status.MPI_TAG == 0); /* @assertion */
        MPI_Recv(tags, 1, MPI_INT, 0, second, MPI_COMM_WORLD, &status);
    }
    MPI_Finalize();
    return 0;
}
/* interleavings 2, twin 1 */

/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads probe for messages of one kind: each message goes to one of them. */
#include <mpi.h>
#include <pthread.h>

static void *take(void *sum)
{
    int n = 0;
    MPI_Message message;
    MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&n, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    *(int *)sum += n;
    return sum;
}

int main(int argc, char **argv)
{
    int rank, level, numbers[] = {1, 2}, sums[2] = {0, 0};
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Send(&numbers[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        pthread_create(&thread, NULL, take, &sums[1]);
        take(&sums[0]);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return rank == 1 && sums[0] + sums[1] != 3;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 --timeout=6 --idle=5 */
/* One thread of rank 1 waits for a semaphore that a signal handler posts, one of rank 2 for one that a process
 * of its own posts, one of rank 3 for what such a process prints; others wait in receives until then. What
 * comes from outside comes in time, whatever MPI does: no deadlock. Any message may be received first
 * (MPI-4.0, 3.5, and 11.6.1: a thread that waits does not block others). */
/* interleavings 4, twin 6 */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LATE_US = 400000 };

static sem_t handled;

static void handle(int number)
{
    (void)number;
    sem_post(&handled);
}

static void await_signal(void)
{
    sem_init(&handled, 0, 0);
    signal(SIGALRM, handle);
    ualarm(LATE_US, 0);
    while (sem_wait(&handled) != 0)
        ;
}

static void await_process(void)
{
    sem_t *posted = mmap(NULL, sizeof *posted, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(posted, 1, 0);
    pid_t child = fork();
    if (child == 0) {
        usleep(LATE_US);
        sem_post(posted);
        _exit(0);
    }
    sem_wait(posted);
    waitpid(child, NULL, 0);
}

static void await_input(void)
{
    char line[16];
    FILE *said = popen("sleep 0.4; echo said", "r");
    assert(fgets(line, sizeof line, said));
    pclose(said);
}

static void *hear(void *value)
{
    MPI_Recv(value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, value = 0, heard;
    MPI_Status status;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
#ifndef TWIN
        assert(status.MPI_SOURCE == 2); /* @assertion */
#endif
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        for (int i = 1; i < 4; i++)
            MPI_Ssend(&value, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
    } else {
        static void (*const await[])(void) = {await_signal, await_process, await_input};
        pthread_create(&thread, NULL, hear, &heard);
        await[rank - 1]();
        MPI_Ssend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that make it hard for a debugger: by what they are given. See mishaps.py. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t trapped;
static volatile unsigned long turns;
static long stamp;

static void on_trap(int number) { trapped++; }

static void endless(void)
{
    while (turns < turns + 1)
        turns++;
}

static void trap(void)
{
    signal(SIGTRAP, on_trap);
    raise(SIGTRAP);
}

static void fork_one(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    int status = 0;
    waitpid(child, &status, 0);
    trapped = WEXITSTATUS(status);
}

static void *idle(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

/* Of each of the clocks that say what time it is. */
static void ask_time(void)
{
    struct timeval now;
    struct timespec precise, standard;
    gettimeofday(&now, NULL);
    clock_gettime(CLOCK_REALTIME, &precise);
    timespec_get(&standard, TIME_UTC);
    stamp = time(NULL) + now.tv_usec + precise.tv_nsec + standard.tv_nsec;
}

/* What can no longer be forked. */
static void become_unkept(void)
{
    pthread_t thread;
    FILE *f = tmpfile();
    if (f)
        fputs("kept", f);
    pthread_create(&thread, NULL, idle, NULL);
}

int main(int argc, char **argv)
{
    int rank;
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "threads") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &rank);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(what, "endless") == 0 && rank == 0 && argc > 2)
        endless();
    if (strcmp(what, "undumpable") == 0) /* MPI has opened by now what is in /proc */
        prctl(PR_SET_DUMPABLE, 0);
    if (strcmp(what, "trap") == 0)
        trap();
    if (strcmp(what, "fork") == 0)
        fork_one();
    if (strcmp(what, "unkept") == 0)
        become_unkept();
    if (strcmp(what, "time") == 0)
        ask_time();
    if (strcmp(what, "exit") == 0 && rank == 1)
        exit(3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks with children of all kinds, none of which is a rank: what they print, how they end and what they
 * inherit must be under isp what it is under mpiexec. Usage: children NESTED (a program that calls MPI); or:
 * children nested, which is one.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int rank;

static void tell(const char *what, int status)
{
    printf("%d: %s: %s %d\n", rank, what, WIFEXITED(status) ? "exit" : "signal",
           WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    fflush(stdout);
}

static void read_all(const char *command)
{
    char line[256];
    FILE *in = popen(command, "r");
    while (in && fgets(line, sizeof line, in))
        printf("%d: %s", rank, line);
    tell(command, in ? pclose(in) : -1);
}

static void fork_and(const char *what, void (*child)(void))
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        child();
        _exit(99);
    }
    waitpid(pid, &status, 0);
    tell(what, status);
}

static void leave_by_exit(void) { exit(3); }
static void crash(void) { abort(); }
static void shell(void) { execl("/bin/sh", "sh", "-c", "kill -TERM $$", (char *)NULL); }
static void python(void)
{
    execlp("python3", "python3", "-c",
           "import threading as t; x = t.Thread(target=print); x.start(); x.join(); raise SystemExit(4)",
           (char *)NULL);
}

static void *work(void *stop)
{
    while (!__atomic_load_n((int *)stop, __ATOMIC_RELAXED))
        free(malloc(100));
    return NULL;
}

/* Another thread holds locks of the C library now and then. */
static void fork_with_threads(void)
{
    int stop = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, &stop);
    for (int i = 0; i < 20; i++)
        fork_and("with threads", leave_by_exit);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
}

static void spawn(void)
{
    pid_t pid;
    int status = -1;
    char *words[] = {(char *)"sh", (char *)"-c", (char *)"exit 5", NULL};
    if (posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ) == 0)
        waitpid(pid, &status, 0);
    tell("posix_spawn", status);
    pid = vfork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", "exit 6", (char *)NULL);
        _exit(98);
    }
    waitpid(pid, &status, 0);
    tell("vfork", status);
}

static void children(const char *nested)
{
    char command[4096];
    tell("system", system("exit 2"));
    read_all("echo from a shell | cat");
    /* where isp has its descriptors */
    read_all("ls /proc/self/fd | awk '$1 >= 400' | wc -l; ls -l /proc/self/fd | grep -c isp-rings");
    read_all("ulimit -c; umask; trap");
    fork_and("exit", leave_by_exit);
    fork_and("crash", crash);
    fork_and("killed", shell);
    fork_and("python", python);
    spawn();
    fork_with_threads();
    snprintf(command, sizeof command, "mpiexec -n 2 '%s' nested", nested);
    if (rank == 0)
        read_all(command);
}

int main(int argc, char **argv)
{
    int sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "nested") != 0)
        children(argv[1]);
    MPI_Allreduce(&(int){rank + 1}, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}

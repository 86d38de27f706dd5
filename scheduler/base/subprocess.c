/* SPDX-License-Identifier: BSD-3-Clause */
/* See subprocess.h. */
#include "subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

enum { MOST = 1 << 20 };

extern char **environ;

/* How isp reaches the ranks is the machine's; all else (where reports go ...) is not. */
static void clean_environment(void)
{
    for (char **at = environ; *at;) {
        bool kept = strncmp(*at, "ISP_", 4) != 0 || strncmp(*at, "ISP_MPIEXEC=", 12) == 0 ||
                    strncmp(*at, "ISP_TCP=", 8) == 0;
        if (kept) {
            at++;
            continue;
        }
        char *name = sched_must(strndup(*at, strcspn(*at, "=")));
        unsetenv(name);
        free(name);
    }
}

static void begin(char *const words[], const char *variable, int out)
{
    setsid(); /* no terminal: an interactive shell would want it */
    clean_environment();
    if (variable)
        putenv(sched_strdup(variable));
    int null = open("/dev/null", O_RDONLY);
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execvp(words[0], words);
    _exit(127);
}

static int left_ms(const struct timespec *end)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long ms = (end->tv_sec - now.tv_sec) * 1000 + (end->tv_nsec - now.tv_nsec) / 1000000;
    return ms > 0 ? (int)ms : 0;
}

/* Until its end, or that of the time. Who writes on for ever is not listened to. */
static bool read_all(int fd, FILE *text, int limit_s)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += limit_s;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    char buffer[4096];
    size_t all = 0;
    while (poll(&ready, 1, left_ms(&end)) > 0) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n <= 0)
            return true;
        if ((all += (size_t)n) <= MOST)
            fwrite(buffer, 1, (size_t)n, text);
    }
    return false;
}

char *sched_subprocess_run(char *const words[], const char *variable, int limit_s, int *status)
{
    int ends[2];
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    *status = -1;
    pid_t child = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    if (child == 0)
        begin(words, variable, ends[1]);
    if (child > 0) {
        close(ends[1]);
        bool ended = read_all(ends[0], out, limit_s);
        if (!ended)
            kill(-child, SIGKILL);
        int found;
        if (waitpid(child, &found, 0) == child && ended && !(WIFEXITED(found) && WEXITSTATUS(found) == 127))
            *status = found;
        close(ends[0]);
    }
    fclose(out);
    return sched_must(text);
}

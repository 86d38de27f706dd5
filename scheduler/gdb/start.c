/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See start.h. The kernel kills gdb when the thread that has started it ends (PDEATHSIG), and lets the
 * process go that gdb has attached to; that one is the guard's business (launch/guard.c).
 */
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/outlive.h"

/* Of the child: as if nobody had ignored or blocked one. */
static void reset_signals(void)
{
    sigset_t none;
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Words as they are, whatever the user's language is, but the names of the program's are UTF-8. */
static void set_environment(void)
{
    unsetenv("DEBUGINFOD_URLS");
    unsetenv("LC_ALL");
    setenv("LC_MESSAGES", "C", 1);
    setenv("LC_NUMERIC", "C", 1);
    setenv("LC_CTYPE", "C.UTF-8", 1);
    setenv("TERM", "dumb", 1);
}

/* Writes errno to `report` if it cannot. */
static _Noreturn void become(char *const *argv, pid_t isp, int stream, int report)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != isp)
        _exit(127);
    setsid();
    /* It fails, now and then, when isp is killed, and raises this to leave a core of its own. */
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    reset_signals();
    set_environment();
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC), keep[] = {stream, report};
    if (dup2(stream, 0) >= 0 && dup2(stream, 1) >= 0 && dup2(nowhere, 2) >= 0) {
        sched_outlive_keep(keep, 2);
        execvp(argv[0], argv);
    }
    int error = errno;
    _exit(write(report, &error, sizeof error) < 0 ? 126 : 127);
}

pid_t sched_gdb_start(char *const *argv, int *fd)
{
    int pair[2], report[2], error = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
        return -1;
    if (pipe2(report, O_CLOEXEC) < 0) {
        error = errno;
        close(pair[0]), close(pair[1]);
        errno = error;
        return -1;
    }
    pid_t isp = getpid(), pid = fork();
    if (pid == 0)
        become(argv, isp, pair[1], report[1]);
    error = pid < 0 ? errno : 0;
    close(pair[1]), close(report[1]);
    if (pid > 0 && read(report[0], &error, sizeof error) < 0)
        error = errno;
    close(report[0]);
    if (!error) {
        *fd = pair[0];
        return pid;
    }
    close(pair[0]);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    errno = error;
    return -1;
}

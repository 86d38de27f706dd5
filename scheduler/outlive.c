/* SPDX-License-Identifier: BSD-3-Clause */
#include "outlive.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

static const int terminal_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGPIPE};
enum { N_TERMINAL_SIGNALS = sizeof terminal_signals / sizeof *terminal_signals };

void sched_outlive(const char *name)
{
    setsid();
    prctl(PR_SET_NAME, name);
    for (int i = 0; i < N_TERMINAL_SIGNALS; i++)
        signal(terminal_signals[i], SIG_IGN);
}

void sched_outlive_restore(const sigset_t *ignored)
{
    for (int i = 0; i < N_TERMINAL_SIGNALS; i++)
        signal(terminal_signals[i], sigismember(ignored, terminal_signals[i]) ? SIG_IGN : SIG_DFL);
}

void sched_outlive_standard(void)
{
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
        dup2(null, fd);
}

void sched_outlive_keep(int *fds, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k > 0 && fds[k - 1] > fds[k]; k--) {
            int fd = fds[k];
            fds[k] = fds[k - 1], fds[k - 1] = fd;
        }
    int next = 3;
    for (size_t i = 0; i < n; i++) {
        if (fds[i] > next)
            close_range((unsigned)next, (unsigned)fds[i] - 1, 0);
        next = fds[i] >= next ? fds[i] + 1 : next;
    }
    close_range((unsigned)next, ~0u, 0);
}

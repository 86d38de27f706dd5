/* SPDX-License-Identifier: BSD-3-Clause */
/* See watch_signal.h. */
#include "watch_signal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/signals.h"

bool prof_watch_take_signal(int signal, prof_watch_handler *handler, struct sigaction *before)
{
    struct sigaction act = {.sa_sigaction = handler,
                            .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | SA_NODEFER};
    if (sigaction(signal, NULL, before) != 0 ||
        !(prof_signal_is_crash(before) || prof_signal_only_prints(before)))
        return false;
    sigemptyset(&act.sa_mask);
    return sigaction(signal, &act, NULL) == 0;
}

void prof_watch_hand_over(const struct sigaction *before, int signal, siginfo_t *info, void *context)
{
    if (before->sa_flags & SA_SIGINFO) {
        before->sa_sigaction(signal, info, context);
    } else if (before->sa_handler == SIG_DFL) {
        sigaction(signal, before, NULL);
        prof_signal_again(signal, info);
    } else if (before->sa_handler != SIG_IGN) {
        before->sa_handler(signal);
    }
}

bool prof_watch_has_signal(int signal, prof_watch_handler *handler)
{
    struct sigaction now;
    sigset_t blocked;
    return sigaction(signal, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler &&
           pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && !sigismember(&blocked, signal);
}

bool prof_watch_is_traced(void)
{
    char text[4096];
    const char *preloaded = getenv("LD_PRELOAD");
    if (preloaded && strstr(preloaded, "vgpreload"))
        return true;
    int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
    const char *tracer = strstr(text, "TracerPid:");
    return tracer && atoi(tracer + strlen("TracerPid:")) != 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "signals.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

int sched_signals_ending(size_t i)
{
    static const int named[] = {SIGINT,  SIGTERM,   SIGHUP,  SIGXCPU, SIGUSR1, SIGUSR2,
                                SIGALRM, SIGVTALRM, SIGPROF, SIGIO,   SIGPWR,  SIGSTKFLT};
    enum { N = sizeof named / sizeof *named };
    if (i < N)
        return named[i];
    int number = SIGRTMIN + (int)(i - N);
    return number <= SIGRTMAX ? number : 0;
}

const char *sched_signals_name(int number)
{
    static char text[32];
    const char *name = sigabbrev_np(number);
    snprintf(text, sizeof text, name ? "SIG%s" : "signal %.0s%d", name ? name : "", number);
    return text;
}

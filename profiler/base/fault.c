/* SPDX-License-Identifier: BSD-3-Clause */
/* See fault.h. */
#include "fault.h"

#include <pthread.h>
#include <signal.h>

__thread struct prof_fault prof_fault;

void prof_fault_go_back(int signal)
{
    if (!prof_fault.wanted || (signal != SIGSEGV && signal != SIGBUS))
        return;
    prof_faults_over();
    sigset_t blocked; /* while its handler runs, and sigsetjmp has not kept what was before */
    sigemptyset(&blocked);
    sigaddset(&blocked, signal);
    pthread_sigmask(SIG_UNBLOCK, &blocked, NULL);
    siglongjmp(prof_fault.back, 1);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into a program that runs without isp: it gives the core away where it waits, as it does under isp
 * (profiler/link/progress.c). So what isp costs can be told from what it costs MPICH to spin. */
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { YIELDS_FROM = 20, SLEEPS_FROM = 100 };

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    static __thread unsigned idle;
    if (!real)
        real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned progressed = real(worker);
    idle = progressed ? 0 : idle + 1;
    if (idle >= SLEEPS_FROM)
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    else if (idle >= YIELDS_FROM)
        sched_yield();
    return progressed;
}

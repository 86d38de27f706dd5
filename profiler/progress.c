/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPICH spins while it waits and never yields, and under isp there are more ranks than cores. Its
 * UCX device polls through ucp_worker_progress: so this stands in front of that, and gives the core away
 * once nothing has happened for a while (DESIGN §7): first by yielding; then, since among busy processes a
 * yield costs whole time slices (3 times slower at a load of 20), by sleeping for the shortest time there is. Now and then it also looks whether the scheduler
 * has ended the run: a rank must not spin for ever for a partner that is gone.
 */
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

#include "prof.h"
#include "uplink.h"

#define IDLE_CALLS 20
#define SLEEP_CALLS 100
#define CHECK_CALLS 1024

__attribute__((visibility("default"))) unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    static __thread unsigned idle __attribute__((tls_model("initial-exec")));
    if (!real)
        real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    unsigned progressed = real(worker);
    if (prof_phase == PROF_OFF)
        return progressed;
    idle = progressed ? 0 : idle + 1;
    if (idle < IDLE_CALLS)
        return progressed;
    if (idle % CHECK_CALLS == 0)
        prof_link_check_end();
    if (idle < SLEEP_CALLS)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
    return progressed;
}

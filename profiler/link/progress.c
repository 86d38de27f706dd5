/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPICH spins while it waits and never yields, and under isp there are more ranks than cores. Its
 * UCX device polls through ucp_worker_progress: so this stands in front of that (preloaded, by the order of
 * symbols; in a static program, by the linker's --wrap), and gives the core away
 * once nothing has happened for a while: first by yielding; then, since among busy processes a
 * yield costs whole time slices (3 times slower at a load of 20), by sleeping for the shortest time there is.
 * Now and then it also looks whether the scheduler has ended the run: a rank must not spin for ever for a
 * partner that is gone.
 */
#include "progress.h"

#include <dlfcn.h>
#include <mpi.h>
#include <poll.h>
#include <sched.h>
#include <time.h>

#include "base/clock.h"
#include "base/phase.h"
#include "uplink.h"

#define IDLE_CALLS 20
#define SLEEP_CALLS 100
#define CHECK_CALLS 1024

/* How often there was progress, and calls of it in a row without, in one call of MPI. */
static __thread unsigned long events __attribute__((tls_model("initial-exec")));
static __thread unsigned idle __attribute__((tls_model("initial-exec")));
static __thread int64_t since_ns __attribute__((tls_model("initial-exec"))); /* it has given its core away */

/* The device's function, under the name that the linker gives it in a static program (--wrap), and else what
 * comes after ours. */
__attribute__((weak)) unsigned __real_ucp_worker_progress(void *worker);
__attribute__((weak, visibility("default"))) unsigned ucp_worker_progress(void *worker);
unsigned __wrap_ucp_worker_progress(void *worker);

void prof_progress_begin(void) { idle = 0; }

unsigned long prof_progress_made(void) { return events; }

void prof_progress_give_way(unsigned idle_calls)
{
    if (idle_calls < IDLE_CALLS)
        return;
    if (idle_calls % CHECK_CALLS == 0)
        prof_link_check_end();
    if (idle_calls == IDLE_CALLS)
        since_ns = prof_now_ns();
    if (idle_calls < SLEEP_CALLS || prof_now_ns() - since_ns < PROF_PROGRESS_SPIN_NS)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
}

static unsigned progress(unsigned (*real)(void *), void *worker)
{
    unsigned progressed = real(worker);
    events += progressed;
    if (prof_phase == PROF_OFF)
        return progressed;
    idle = progressed ? 0 : idle + 1;
    prof_progress_give_way(idle);
    return progressed;
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    if (!real)
        real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    return progress(real, worker);
}

unsigned __wrap_ucp_worker_progress(void *worker) { return progress(__real_ucp_worker_progress, worker); }

/* ---- for others, while this rank waits ---- */

#define BUSY_ROUNDS 200 /* without an event: then the socket is what the rank sleeps on */
#define NAP_MS 1

static int windows;

void prof_progress_needed(int more) { windows += more; }

bool prof_progress_has_windows(void) { return windows > 0; }

bool prof_progress_is_needed(void) { return windows > 0 || prof_settings()->ahead; }

bool prof_progress_until(int fd, int64_t timeout_ns)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t end_ns = timeout_ns < 0 ? INT64_MAX : prof_now_ns() + timeout_ns;
    for (unsigned vain = 0; poll(&p, 1, vain < BUSY_ROUNDS ? 0 : NAP_MS) == 0; vain++) {
        unsigned long before = events;
        int flag;
        /* Takes nothing; on a communicator of this rank alone MPICH would not look further. */
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (events != before)
            vain = 0;
        else if (vain < BUSY_ROUNDS)
            sched_yield();
        if (timeout_ns >= 0 && prof_now_ns() >= end_ns)
            return false;
    }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See bells.h. */
#include "bells.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"

/* With so many ranks for each core, few of those that are offered the core by a yield have something to do:
 * measured with 2, 4, 8 and 16 (docs/decentralized.md). */
enum { CROWD = 5 };

static struct isp_ring_head *shared; /* NULL: there are none */
static struct isp_bell *own;
static int n_bells, busy;
static bool crowded, has_address;
static uint8_t own_address[ISP_BELL_ADDRESS];

void prof_bells_attach(struct isp_ring_head *head, int rank, int n)
{
    cpu_set_t cores;
    if (!has_address || rank >= n || n > ISP_RING_BELLS || sched_getaffinity(0, sizeof cores, &cores) < 0)
        return;
    shared = head;
    own = &head->bells[rank];
    n_bells = n;
    crowded = n >= CROWD * CPU_COUNT(&cores);
    memcpy(own->address, own_address, sizeof own->address);
    if (!atomic_exchange(&own->has_address, 1))
        atomic_fetch_add(&head->n_addresses, 1);
}

void prof_bells_address(const void *address)
{
    memcpy(own_address, address, sizeof own_address);
    has_address = true;
}

int prof_bells_find(const void *address, uint32_t *tried)
{
    uint32_t n = shared ? atomic_load(&shared->n_addresses) : 0;
    if (n == *tried)
        return -1;
    *tried = n;
    for (int i = 0; i < n_bells; i++) {
        struct isp_bell *bell = &shared->bells[i];
        if (atomic_load(&bell->has_address) && memcmp(bell->address, address, sizeof bell->address) == 0)
            return i;
    }
    return -1;
}

void prof_bells_busy(int more) { busy += more; }

bool prof_bells_are_used(void) { return crowded; }

/* Ranks of other hosts have no bell here, and cannot ring. */
static bool all_are_here(void)
{
    return atomic_load_explicit(&shared->n_addresses, memory_order_relaxed) == (uint32_t)n_bells;
}

bool prof_bells_pay(void) { return crowded && busy == 0 && all_are_here() && !prof_progress_has_windows(); }

void prof_bell_doze(void) { isp_ring_doze(&own->asleep); }

bool prof_bell_sleep(int64_t most_ns)
{
    struct timespec most = {.tv_sec = most_ns / 1000000000, .tv_nsec = most_ns % 1000000000};
    long rc = syscall(SYS_futex, &own->asleep, FUTEX_WAIT, 1, &most, NULL, 0);
    bool rung = rc == 0 || errno != ETIMEDOUT;
    prof_bell_wake();
    return rung;
}

void prof_bell_wake(void) { atomic_store_explicit(&own->asleep, 0, memory_order_relaxed); }

void prof_bell_ring(int rank)
{
    if (rank >= 0 && isp_ring_wakes(&shared->bells[rank].asleep))
        syscall(SYS_futex, &shared->bells[rank].asleep, FUTEX_WAKE, 1, NULL, NULL, 0);
}

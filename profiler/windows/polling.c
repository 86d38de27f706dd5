/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that poll windows: see polling.h. */
#include "polling.h"

#include <errno.h>

#include "base/clock.h"
#include "engine/ahead.h"
#include "engine/fence.h"
#include "engine/prof.h"
#include "link/progress.h"
#include "link/uplink.h"
#include "threads/thread.h"

#define LOOK_NS 50000     /* between two looks at the scheduler */
#define TELL_NS 100000000 /* that long nothing but accesses: it is told */
#define AGAIN_NS 1000000000

static struct {
    _Atomic int64_t since_ns;         /* the first access after the last record; 0: there was none */
    _Atomic int64_t look_ns, tell_ns; /* when next */
} spell;                              /* of all threads: two may tell at once, which does no harm */

void prof_polling_over(void) { spell.since_ns = 0; }

static void look(enum isp_fn fn, const void *site, int64_t now)
{
    int error = errno;
    prof_depth++;
    if (now >= spell.tell_ns) {
        spell.tell_ns = now + AGAIN_NS;
        prof_link_polls(fn, site, !prof_threads_own_order);
        prof_link_flush(); /* also what was recorded before */
    }
    prof_ahead_look();
    while (!prof_threads_own_order && prof_link_wait(0)) /* which lets MPI work; with threads a reader does */
        prof_fence_act();
    prof_depth--;
    errno = error;
}

bool prof_enter_access(enum isp_fn fn, const void *site)
{
    prof_enter_local(fn, site, false);
    if (prof_phase != PROF_RUNNING)
        return true;
    int64_t now = prof_now_ns();
    if (spell.since_ns == 0) {
        spell.since_ns = now;
        spell.look_ns = now + LOOK_NS;
        spell.tell_ns = now + TELL_NS;
    } else if (now >= spell.look_ns) {
        look(fn, site, now);
        spell.look_ns = prof_now_ns() + LOOK_NS;
    }
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Into and out of a call of MPI: see prof.h. */
#include <errno.h>

#include "ahead.h"
#include "engine/fence.h"
#include "hold.h"
#include "hooks.h"
#include "level.h"
#include "link/finding.h"
#include "link/progress.h"
#include "link/reach.h"
#include "link/uplink.h"
#include "memory/pending.h"
#include "outside/caller.h"
#include "outside/polled.h"
#include "prof.h"
#include "threads/mutexes.h"
#include "threads/thread.h"
#include "threads/waiters.h"
#include "watch/watching.h"

static __thread int saved_errno __attribute__((tls_model("initial-exec")));

int prof_saved_errno(void) { return saved_errno; }

static void report_out_of_place(enum isp_fn fn, const void *site)
{
    if (prof_reach_scheduler())
        prof_finding_tell(&(struct prof_finding){
            .rule = prof_phase == PROF_BEFORE_INIT ? ISP_RULE_CALL_BEFORE_INIT : ISP_RULE_CALL_AFTER_FINALIZE,
            .at = {fn, site},
            .flush = true});
}

/* A local call. Cheap where there are no threads. */
static void check_level(enum isp_fn fn, const void *site)
{
    if (prof_phase == PROF_RUNNING && (prof_level_main_only ? !prof_level_is_main() : prof_threads_several()))
        prof_level_breaks(fn, site, false);
}

bool prof_enter_local_any(enum isp_fn fn, const void *site, bool anytime)
{
    if (prof_phase != PROF_RUNNING && !anytime)
        report_out_of_place(fn, site);
    else if (!anytime && !prof_threads_at_once)
        check_level(fn, site);
    prof_current = (struct prof_current){.fn = fn, .site = site};
    if (fn == ISP_FN_MPI_Wtime)
        prof_polled_time();
    if (!prof_threads_own_order || !prof_threads_several()) {
        prof_watch_enter();
        prof_watch_leave();
    }
    return true;
}

double prof_leave_clock(double time)
{
    volatile double kept = time; /* in this frame, and nowhere else */
    if (prof_settings()->apart)
        prof_caller_sweep();
    time = kept;
    kept = 0;
    return time;
}

/* False: another thread is inside, and may not be. */
static bool enter(enum isp_fn fn, const void *site)
{
    if (!prof_threads_at_once && !prof_level_enter(fn, site))
        return false;
    if (prof_threads_own_order)
        prof_threads_enter();
    return true;
}

static void leave(void)
{
    if (prof_threads_own_order)
        prof_threads_leave();
    if (!prof_threads_at_once)
        prof_level_leave();
}

bool prof_enter(enum isp_fn fn, const void *site)
{
    if (prof_phase != PROF_RUNNING) {
        prof_enter_local(fn, site, false);
        return false;
    }
    int error = errno;
    struct prof_held held = {0}; /* before isp has a mutex of its own */
    if (prof_threads_own_order && prof_mutexes_held)
        prof_mutexes_held(&held);
    if (prof_level_main_only && !prof_level_is_main())
        prof_level_breaks(fn, site, true);
    while (!enter(fn, site)) /* the other one may leave just now */
        prof_level_breaks(fn, site, true);
    saved_errno = error;
    prof_depth++;
    prof_current = (struct prof_current){fn, site, held.surely, held.perhaps};
    prof_progress_begin();
    prof_hold_enter();
    if (prof_threads_own_order && prof_waiters_call)
        prof_waiters_call(fn, site);
    if (prof_polled.polls)
        prof_polled_enter();
    prof_watch_enter();
    if (prof_engine_looks)
        prof_engine_hooks.look();
    return true;
}

int prof_leave(int rc)
{
    int error = saved_errno;
    if (prof_threads_own_order)
        prof_fence_admit();
    if (prof_ahead_is_on()) /* the program may call nothing for long */
        prof_link_offer(false);
    if (prof_pending_arrived)
        prof_pending_look();
    if (prof_engine_looks)
        prof_engine_hooks.keep();
    if (prof_engine_returns)
        prof_engine_hooks.returns();
    prof_watch_leave();
    if (prof_polled.answered)
        prof_polled_leave();
    prof_depth--;
    leave();
    errno = error;
    return rc;
}

struct prof_outside prof_outside_begin(void)
{
    bool stays = prof_finalizing || prof_threads_at_once;
    struct prof_outside outside = {stays ? 0 : prof_depth, saved_errno, prof_current};
    if (outside.depth > 0) {
        prof_pending_look();
        prof_depth = 0;
        leave();
    }
    return outside;
}

void prof_outside_end(const struct prof_outside *outside)
{
    if (outside->depth > 0) {
        enter(outside->current.fn, outside->current.site);
        prof_depth = outside->depth;
    }
    saved_errno = outside->error;
    prof_current = outside->current;
}

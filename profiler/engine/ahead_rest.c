/* SPDX-License-Identifier: BSD-3-Clause */
/* See ahead_rest.h. */
#include "ahead_rest.h"

#include <sched.h>
#include <time.h>

#include "ahead.h"
#include "ahead_operations.h"
#include "base/clock.h"
#include "link/bells.h"
#include "link/progress.h"
#include "link/uplink.h"
#include "tables/communicators.h"
#include "watch/watching.h"

enum {
    OFFER_IDLE = 12,     /* rounds without success, then isp can see what was recorded */
    DOZE_IDLE_MANY = 60, /* ... of a wait for several ranks, before it sleeps on its bell */
    CHECK_IDLE = 64,     /* each so many, whether the run is over */
};
/* It sleeps for such a part of the time that it has waited, and not longer than this. In a row of ranks that
 * wait for one another each adds its own part to the wait of the next, so the part is small where the cores
 * can bear to be asked so often. */
enum { MOST_PART = 64, LEAST_PART = 4, RANKS_OF_MOST = 64 };
#define MOST_SLEEP_NS 20000000
#define FIRST_SLEEP_NS 2000000 /* if others ring: isp waits no longer for what it may tell */
#define STUCK_NS 200000000

static void tell_stuck(bool yes)
{
    isp_put_u8(prof_link_begin(ISP_MSG_STUCK), yes);
    prof_link_end();
    prof_link_offer(true);
}

void prof_ahead_rested(const struct prof_ahead_rest *r)
{
    if (r->dozes)
        prof_bell_wake();
    if (r->told)
        tell_stuck(false);
}

static int64_t sleep_after(int64_t waited_ns)
{
    int part =
        MOST_PART * RANKS_OF_MOST / (prof_world_size > RANKS_OF_MOST ? prof_world_size : RANKS_OF_MOST);
    int64_t sleep_ns = waited_ns / (part > LEAST_PART ? part : LEAST_PART);
    return sleep_ns < MOST_SLEEP_NS ? sleep_ns : MOST_SLEEP_NS;
}

/* After a while in which nobody has rung it looks for what it has to tell, as who sleeps in small pieces. */
static void sleep_until_rung(struct prof_ahead_rest *r)
{
    int64_t most_ns = r->idle < PROF_AHEAD_SLEEP_IDLE ? FIRST_SLEEP_NS : MOST_SLEEP_NS;
    bool rung = prof_bell_sleep(r->most_ns && r->most_ns < most_ns ? r->most_ns : most_ns);
    r->dozes = false;
    r->slept = true;
    if (!rung && r->idle < PROF_AHEAD_SLEEP_IDLE)
        r->idle = PROF_AHEAD_SLEEP_IDLE - 1;
}

static void wait_long(struct prof_ahead_rest *r)
{
    int64_t waited_ns = prof_now_ns() - r->since_ns, sleep_ns = sleep_after(waited_ns);
    prof_ahead_look();
    if (r->dozes || r->idle % CHECK_IDLE == 0 || sleep_ns >= MOST_SLEEP_NS)
        prof_link_check_end();
    if (!r->told && waited_ns > STUCK_NS) {
        r->told = true;
        tell_stuck(true);
    }
    if (r->dozes)
        return;
    if (waited_ns < PROF_PROGRESS_SPIN_NS)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = sleep_ns}, NULL);
}

void prof_ahead_rest(struct prof_ahead_rest *r)
{
    if (!r->begun)
        prof_watch_rest(); /* while a register is set the processor copies large messages slowly */
    r->begun = true;
    if (r->events != prof_progress_made()) { /* something has come, if not all of it */
        r->events = prof_progress_made();
        r->idle = 0;
    }
    if (r->dozes) {
        sleep_until_rung(r);
        return;
    }
    if (++r->idle < OFFER_IDLE)
        return;
    if (r->idle == OFFER_IDLE) {
        r->since_ns = prof_now_ns();
        prof_link_offer(false);
    }
    r->dozes = (!r->many || r->idle >= DOZE_IDLE_MANY) && prof_bells_pay();
    if (r->idle < PROF_AHEAD_SLEEP_IDLE && !r->dozes)
        sched_yield();
    if (r->idle >= PROF_AHEAD_SLEEP_IDLE)
        wait_long(r);
    if (r->dozes)
        prof_bell_doze();
}

void prof_ahead_await(struct prof_op *op)
{
    struct prof_ahead_rest r = {.many = op->kind == PROF_OP_COLLECTIVE};
    while (!prof_ahead_is_complete(op))
        prof_ahead_rest(&r);
    prof_ahead_rested(&r);
}

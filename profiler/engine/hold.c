/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that hold: see hold.h. */
#include "hold.h"

#include <stdbool.h>

#include "fence.h"
#include "link/uplink.h"
#include "prof.h"
#include "threads/thread.h"
#include "watch/visits.h"

static uint64_t made; /* events so far */
static bool inside;   /* the present call has made one */
static struct {
    bool told; /* another one than the settings have */
    uint64_t event;
} order;

static uint64_t wanted(void) { return order.told ? order.event : prof_settings()->hold; }

void prof_hold_start(enum isp_fn fn, const void *site)
{
    if (wanted() != ISP_HOLD_IN_INIT || prof_threads_own_order)
        return;
    prof_link_held(0, fn, site);
    prof_link_flush();
    while (wanted() == ISP_HOLD_IN_INIT)
        prof_fence_act();
}

bool prof_hold_is_used(void) { return wanted() != ISP_HOLD_NEVER && !prof_threads_own_order; }

void prof_hold_enter(void) { inside = false; }

static bool holds_at(const struct isp_call *call)
{
    if (inside)
        return false;
    return isp_hold_stops(wanted(), made) || (call->op == ISP_OP_FINALIZE && wanted() != ISP_HOLD_NEVER);
}

void prof_hold(struct isp_call *call)
{
    if (!prof_hold_is_used() || call->op == ISP_OP_READY)
        return;
    if (inside)
        call->flags |= ISP_F_CONTINUES;
    else
        prof_visits_end();
    while (prof_link_has_input()) /* a rank that runs is sent no more than where to hold */
        prof_fence_act();
    if (holds_at(call)) {
        enum isp_fn fn = call->fn == ISP_FN_NONE ? prof_current.fn : (enum isp_fn)call->fn;
        prof_link_held(made, fn, prof_current.site);
        prof_link_flush(); /* also what was recorded before */
        while (holds_at(call))
            prof_fence_act();
    }
    made++;
    inside = true;
}

void prof_hold_take(struct isp_reader *message)
{
    order.event = isp_get_u64(message);
    order.told = true;
    if (!message->ok)
        prof_link_broken();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See delivery.h. */
#include "delivery.h"

#include "base/now.h"
#include "hold.h"
#include "poe/poe.h"

void sched_delivery_queue(struct sched_world *w, const struct poe_fired *f)
{
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        struct sched_rank *r = &w->in->ranks[e->rank];
        if (!e->release) {
            isp_put_action(&r->actions, &e->action);
            r->n_actions++;
            continue;
        }
        r->quiet = r->quiet_told = false;
        r->n_new_releases++;
        isp_put_u16(&r->releases, e->thread);
        isp_put_result(&r->releases, &e->result);
    }
}

/* A GO frame with these marks, and what has gathered for the rank. */
static void send_go(struct sched_world *w, struct sched_rank *r, uint8_t marks, uint32_t drop)
{
    w->in->frame.size = 0;
    size_t at = isp_frame_begin(&w->in->frame, ISP_MSG_GO);
    isp_put_u8(&w->in->frame, marks);
    isp_put_u32(&w->in->frame, drop);
    isp_put_u32(&w->in->frame, r->n_actions);
    isp_put_bytes(&w->in->frame, r->actions.data, r->actions.size);
    isp_put_u16(&w->in->frame, r->n_new_releases);
    isp_put_bytes(&w->in->frame, r->releases.data, r->releases.size);
    isp_frame_end(&w->in->frame, at);
    sched_peer_send(r->peer, &w->in->frame);
}

static void clear_go(struct sched_rank *r)
{
    r->waiting -= r->n_new_releases;
    r->n_releases += r->n_new_releases;
    r->n_new_releases = 0;
    r->releases.size = 0;
    r->n_actions = 0;
    r->actions.size = 0;
}

void sched_world_deliver(struct sched_world *w)
{
    for (int i = 0; i < w->n; i++) {
        struct sched_rank *r = &w->in->ranks[i];
        bool takes = r->waiting || r->polls || r->able || r->holds;
        if (!takes || r->parked || (!r->n_actions && !r->n_new_releases))
            continue;
        r->state.told = r->state.asked = false; /* it moves */
        if (!w->in->keeper->plays(w, i)) {
            uint32_t drop;
            uint8_t marks = w->in->keeper->go(w, i, &drop);
            if (sched_hold_is_used(w) && !r->n_new_releases) {
                marks |= ISP_GO_ANSWER;
                r->acting = true;
            }
            send_go(w, r, marks, drop);
            if (r->n_new_releases)
                r->heard_s = sched_now_s();
        }
        clear_go(r);
    }
}

void sched_world_ask(struct sched_world *w, int rank, uint8_t marks)
{
    struct sched_rank nothing = {.peer = w->in->ranks[rank].peer};
    send_go(w, &nothing, marks, 0);
}

static void send_die(struct sched_world *w, int rank, bool all)
{
    w->in->frame.size = 0;
    size_t at = isp_frame_begin(&w->in->frame, ISP_MSG_DIE);
    isp_put_u8(&w->in->frame, all);
    isp_frame_end(&w->in->frame, at);
    if (w->in->ranks[rank].peer)
        sched_peer_send(w->in->ranks[rank].peer, &w->in->frame);
}

void sched_world_end_process(struct sched_world *w, int rank) { send_die(w, rank, false); }

void sched_delivery_dismiss(struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        send_die(w, i, true);
}

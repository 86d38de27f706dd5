/* SPDX-License-Identifier: BSD-3-Clause */
/* See delivery.h. */
#include "delivery.h"

#include "ahead.h"
#include "base/now.h"
#include "hold.h"
#include "poe/poe.h"
#include "steps.h"

void sched_delivery_queue(struct sched_world *w, const struct poe_fired *f)
{
    bool finalizes = w->in->settings.ahead && f->n_members && f->members[0]->call.op == ISP_OP_FINALIZE;
    sched_steps_note_fired(w, f);
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        struct sched_rank *r = &w->in->ranks[e->rank];
        if (sched_ahead_takes(w, e))
            continue;
        if (!e->release) {
            isp_put_action(&r->actions, &e->action);
            r->n_actions++;
            continue;
        }
        r->quiet = r->quiet_told = false;
        r->n_new_releases++;
        isp_put_u16(&r->releases, e->thread);
        if (finalizes)
            sched_ahead_finalize(w, e->rank, e->result);
        else
            isp_put_result(&r->releases, &e->result);
    }
}

/* A GO frame with these marks, and this body. */
static void send_go(struct sched_world *w, int rank, uint8_t marks, uint32_t drop, const void *body,
                    size_t size)
{
    w->in->frame.size = 0;
    size_t at = isp_frame_begin(&w->in->frame, ISP_MSG_GO);
    isp_put_u8(&w->in->frame, marks);
    isp_put_u32(&w->in->frame, drop);
    isp_put_bytes(&w->in->frame, body, size);
    isp_frame_end(&w->in->frame, at);
    sched_peer_send(w->in->ranks[rank].peer, &w->in->frame);
}

void sched_delivery_send(struct sched_world *w, int rank, const void *body, size_t size, uint8_t marks)
{
    uint32_t drop;
    marks |= w->in->keeper->go(w, rank, &drop);
    send_go(w, rank, marks, drop, body, size);
}

void sched_delivery_agree(struct sched_world *w, int rank, const struct isp_result *result)
{
    struct isp_buf *b = &w->in->body;
    b->size = 0;
    isp_put_u32(b, 0); /* no actions */
    isp_put_u16(b, 1);
    isp_put_u16(b, 0); /* its only thread */
    isp_put_result(b, result);
    sched_delivery_send(w, rank, b->data, b->size, 0);
}

/* What has gathered for the rank. */
static const struct isp_buf *body_for(struct sched_world *w, const struct sched_rank *r)
{
    struct isp_buf *b = &w->in->body;
    b->size = 0;
    isp_put_u32(b, r->n_actions);
    isp_put_bytes(b, r->actions.data, r->actions.size);
    isp_put_u16(b, r->n_new_releases);
    isp_put_bytes(b, r->releases.data, r->releases.size);
    return b;
}

static void send_gathered(struct sched_world *w, int rank)
{
    struct sched_rank *r = &w->in->ranks[rank];
    const struct isp_buf *body = body_for(w, r);
    if (!sched_steps_send(w, rank, body, r->n_new_releases)) {
        bool says = sched_hold_is_used(w) && !r->n_new_releases;
        r->acting |= says;
        sched_delivery_send(w, rank, body->data, body->size, says ? ISP_GO_ANSWER : 0);
    }
    if (r->n_new_releases)
        r->heard_s = sched_now_s();
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
        if (!w->in->keeper->plays(w, i))
            send_gathered(w, i);
        clear_go(r);
    }
    sched_steps_sent(w);
}

void sched_world_ask(struct sched_world *w, int rank, uint8_t marks, uint32_t drop)
{
    static const uint8_t nothing[6]; /* no actions, no releases */
    send_go(w, rank, marks, drop, nothing, sizeof nothing);
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

/* SPDX-License-Identifier: BSD-3-Clause */
/* See hold.h. */
#include "hold.h"

#include "base/alloc.h"
#include "base/process.h"
#include "inside.h"
#include "isp/functions.h"
#include "keeper.h"
#include "poe/poe.h"
#include "told.h"

bool sched_hold_is_used(const struct sched_world *w) { return w->in->wanted; }

void sched_hold_attend(struct sched_world *w, const bool *wanted) { w->in->wanted = wanted; }

/* What a rank that says so holds at, it holds at still: it has not read yet how far it may go, else. */
static bool is_held(const struct sched_rank *r, uint64_t event, uint16_t fn)
{
    if (fn == ISP_FN_MPI_Init || fn == ISP_FN_MPI_Init_thread)
        return r->limit == ISP_HOLD_IN_INIT;
    return isp_hold_stops(r->limit, event) || (fn == ISP_FN_MPI_Finalize && r->limit != ISP_HOLD_NEVER);
}

static void send_hold(struct sched_world *w, int rank)
{
    w->in->frame.size = 0;
    size_t at = isp_frame_begin(&w->in->frame, ISP_MSG_HOLD);
    isp_put_u64(&w->in->frame, w->in->ranks[rank].limit);
    isp_frame_end(&w->in->frame, at);
    sched_peer_send(w->in->ranks[rank].peer, &w->in->frame);
}

/* It goes on, as far as poe knows. */
static void runs(struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->in->ranks[rank];
    if (w->run->poe && !r->holds && !r->parked && !r->waiting && !r->stopped && !r->gone)
        poe_runs(w->run->poe, rank);
}

void sched_hold_at(struct sched_world *w, int rank, uint64_t limit)
{
    struct sched_rank *r = &w->in->ranks[rank];
    if (limit == r->limit)
        return;
    r->limit = limit;
    w->settled = false;
    if (!r->peer || r->gone)
        return; /* it is told when it comes */
    send_hold(w, rank);
    if (!r->holds || is_held(r, r->held_at, r->fn))
        return;
    r->holds = false;
    runs(w, rank);
}

void sched_hold_park(struct sched_world *w, int rank, bool parked)
{
    struct sched_rank *r = &w->in->ranks[rank];
    if (r->parked == parked)
        return;
    r->parked = parked;
    w->settled = false;
    if (!parked)
        runs(w, rank);
}

void sched_hold_take(struct sched_world *w, int rank, struct isp_reader *in)
{
    struct sched_rank *r = &w->in->ranks[rank];
    uint64_t event = isp_get_u64(in);
    uint16_t fn = isp_get_u16(in);
    uint32_t site = sched_told_site(r, isp_get_u32(in));
    in->ok = in->ok && fn < ISP_FN_COUNT && !r->waiting;
    if (!in->ok || r->stopped)
        return;
    r->fn = fn;
    r->site = site;
    r->held_at = event;
    r->holds = is_held(r, event, fn); /* else it has not read yet how far it may go */
    r->acting = false;
}

void sched_hold_count(struct sched_world *w, int rank, const struct isp_visits *visits)
{
    w->in->frame.size = 0;
    size_t at = isp_frame_begin(&w->in->frame, ISP_MSG_VISITS);
    isp_put_visits(&w->in->frame, visits);
    isp_frame_end(&w->in->frame, at);
    w->in->ranks[rank].visited = SCHED_VISITED_NOT;
    sched_peer_send(w->in->ranks[rank].peer, &w->in->frame);
}

void sched_hold_take_visited(struct sched_world *w, int rank, struct isp_reader *in)
{
    static const enum sched_visited ways[] = {[ISP_VISITED_CANNOT] = SCHED_VISITED_CANNOT,
                                              [ISP_VISITED_STOPS] = SCHED_VISITED_STOPS,
                                              [ISP_VISITED_ENDS] = SCHED_VISITED_ENDS};
    struct sched_rank *r = &w->in->ranks[rank];
    uint8_t how = isp_get_u8(in);
    r->place = isp_get_u32(in);
    r->visits = isp_get_u64(in);
    if (!r->unlike)
        r->unlike = sched_alloc(ISP_VISIT_WORDS_MOST, sizeof *r->unlike);
    r->n_unlike = isp_get_list(in, r->unlike, ISP_VISIT_WORDS_MOST);
    in->ok = in->ok && how < sizeof ways / sizeof *ways && sched_hold_is_used(w);
    if (!in->ok)
        return;
    r->visited = ways[how];
    if (r->visited == SCHED_VISITED_STOPS)
        sched_hold_park(w, rank, true);
}

bool sched_hold_any(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if ((w->in->ranks[i].holds || w->in->ranks[i].parked) && !w->in->ranks[i].stopped)
            return true;
    return false;
}

bool sched_hold_is_settled(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++) {
        const struct sched_rank *r = &w->in->ranks[i];
        if ((!r->quiet && !r->gone && !sched_rank_rests(r)) || (r->acting && !r->parked && !r->gone))
            return false;
    }
    return true;
}

struct sched_held_view sched_hold_view(const struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->in->ranks[rank];
    uint64_t next = w->run->poe ? poe_next_index(w->run->poe, rank, 0) : 0;
    return (struct sched_held_view){.held = r->holds,
                                    .in_init = r->holds && r->limit == ISP_HOLD_IN_INIT,
                                    .at = r->holds ? r->held_at : next,
                                    .in_call = !r->holds && r->waiting > 0,
                                    .parked = r->parked,
                                    .stopped = r->stopped || r->gone,
                                    .visited = r->visited,
                                    .place = r->place,
                                    .visits = r->visits,
                                    .unlike = r->unlike,
                                    .n_unlike = r->n_unlike};
}

pid_t sched_hold_process(const struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->in->ranks[rank];
    bool here = r->peer && !r->gone && sched_process_is_here(r->peer->host);
    return here ? w->in->keeper->process(w, rank) : 0;
}

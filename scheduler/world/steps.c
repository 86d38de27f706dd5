/* SPDX-License-Identifier: BSD-3-Clause */
/* See steps.h; STEPS.md has why this is right. */
#include "steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/now.h"
#include "check/deeds.h"
#include "delivery.h"
#include "isp/functions.h"
#include "known_steps.h"
#include "poe/poe.h"
#include "records.h"
#include "states.h"

/* For what processes may have to be sent. */
static const size_t MOST_LOG = (size_t)32 << 20;

struct sent {
    struct sched_step *step; /* NULL: it is not to be kept */
    int rank;
    bool released;
    bool now;        /* its answer is waited for */
    size_t at, size; /* of its body */
};

/* The process of a rank. */
struct process {
    struct sched_step **owed; /* steps that it makes again, and has not told so far: from `first` on */
    size_t first, n;
    size_t heard;               /* of the records of the first one */
    struct sched_step *makes;   /* a step that nobody has made before, or NULL */
    bool at_work;               /* the answer to what it was sent last is waited for ... */
    bool bare;                  /* ... and so far had calls only */
    struct sched_point doubted; /* the state in which it should be, as a check */
};

struct sched_steps {
    bool left; /* none is left out any more ... */
    bool over; /* ... and nothing needs to be known of what is sent */
    struct sched_known_steps known;
    struct sent *sent;
    size_t n;
    struct isp_buf bodies;
    size_t done; /* so many the processes were sent ... */
    bool astray; /* ... and others, which the run does not have any more */
    struct process *processes;
    int ranks;
    struct isp_buf call; /* one, to compare it */
    const char *checks;  /* the file of ISP_CHECK_STATES, or NULL */
    struct sched_steps_count count;
};

struct sched_steps *sched_steps_create(int ranks)
{
    struct sched_steps *s = sched_alloc(1, sizeof *s);
    const char *checks = getenv("ISP_CHECK_STATES");
    *s = (struct sched_steps){.ranks = ranks, .checks = checks && *checks ? checks : NULL};
    s->processes = sched_alloc((size_t)ranks, sizeof *s->processes);
    return s;
}

void sched_steps_destroy(struct sched_steps *s)
{
    if (!s)
        return;
    sched_known_steps_finish(&s->known);
    for (int i = 0; i < s->ranks; i++)
        free(s->processes[i].owed);
    free(s->processes);
    free(s->sent);
    isp_buf_finish(&s->bodies);
    isp_buf_finish(&s->call);
    free(s);
}

void sched_steps_count(const struct sched_world *w, struct sched_steps_count *to)
{
    if (!w->in->steps)
        return;
    to->made += w->in->steps->count.made;
    to->again += w->in->steps->count.again;
    to->behind += w->in->steps->count.behind;
}

static bool is_on(const struct sched_world *w) { return w->in->steps && !w->in->steps->left; }

/* ---- whose data it gets ---- */

static bool is_barrier(const struct isp_call *call)
{
    return call->fn == ISP_FN_MPI_Barrier || call->fn == ISP_FN_MPI_Ibarrier;
}

static bool is_message(const struct poe_fired *f)
{
    return f->n_members == 2 && f->members[0]->call.op == ISP_OP_SEND &&
           f->members[1]->call.op == ISP_OP_RECV;
}

/* The data of a message follows from the state of who sends it, who still has it; of a collective, from those
 * of all: a part may have come by way of others. */
void sched_steps_note_fired(struct sched_world *w, const struct poe_fired *f)
{
    const struct isp_call *first = f->n_members ? &f->members[0]->call : NULL;
    bool all = first && first->op == ISP_OP_COLLECTIVE;
    if (!is_on(w) || (all ? is_barrier(first) : f->n_members < 2))
        return;
    struct sched_point sum = SCHED_NO_DATA;
    bool known = true;
    for (unsigned i = 0; i < (all ? (unsigned)w->n : f->n_members); i++) {
        int rank = all ? (int)i : f->members[i]->rank;
        known = known && sched_point_is_known(w->in->ranks[rank].point);
        sched_point_add(&sum, w->in->ranks[rank].point, known);
    }
    for (unsigned i = 0; i < f->n_effects; i++)
        sched_point_add(&w->in->ranks[f->effects[i].rank].data, sum, known);
    if (is_message(f) && isp_call_leaves_rest(first, &f->members[1]->call))
        w->in->ranks[f->members[1]->rank].data = SCHED_NOWHERE;
}

/* ---- sending ---- */

static void reach(struct sched_rank *r, const struct sched_step *step, int rank)
{
    r->point = step->known ? sched_point_of_state(rank, step->low, step->high) : step->point;
    if (!step->known)
        return;
    r->state.told = r->state.known = r->state.again = true;
    r->state.asked = false;
    r->state.low = step->low;
    r->state.high = step->high;
}

/* A step may be left out if the processes can be brought to where they would have been, and if nobody sees
 * what they print. */
static bool may_leave_out(const struct sched_world *w)
{
    return w->in->hush && !w->in->stopped && !w->in->finalizing && w->in->keeper->can_return(w);
}

static struct sent *log_sent(struct sched_steps *s, struct sent sent, const struct isp_buf *body)
{
    sent.at = s->bodies.size;
    sent.size = body->size;
    isp_put_bytes(&s->bodies, body->data, body->size);
    SCHED_GROW(s->sent, s->n);
    s->sent[s->n++] = sent;
    s->left |= s->bodies.size > MOST_LOG;
    return &s->sent[s->n - 1];
}

bool sched_steps_send(struct sched_world *w, int rank, const struct isp_buf *body, bool released)
{
    struct sched_steps *s = w->in->steps;
    struct sched_rank *r = &w->in->ranks[rank];
    if (!s || s->over)
        return false;
    if (sched_steps_are_even(w) && !w->in->keeper->can_return(w))
        sched_steps_begin(w);
    bool known = is_on(w) && sched_point_is_known(r->point) && sched_point_is_known(r->data) &&
                 !w->in->stopped && !w->in->finalizing;
    struct sched_step *step =
        known ? sched_known_steps_get(&s->known, sched_point_next(rank, r, body)) : NULL;
    r->point = step ? step->point : SCHED_NOWHERE;
    r->data = SCHED_NO_DATA;
    struct sent *sent = log_sent(s, (struct sent){.step = step, .rank = rank, .released = released}, body);
    if (step && !released)
        step->made = step->bare = true;
    if (step && step->made && step->bare && may_leave_out(w)) {
        s->count.again += released;
        r->again = released ? step : NULL;
        if (!released)
            reach(r, step, rank);
        return true;
    }
    sent->now = true;
    sched_steps_flush(w);
    return true;
}

static void owe(struct process *p, struct sched_step *step)
{
    if (p->first == p->n)
        p->first = p->n = 0;
    SCHED_GROW(p->owed, p->n);
    p->owed[p->n++] = step;
}

static void send_one(struct sched_world *w, struct sent *sent)
{
    struct sched_steps *s = w->in->steps;
    struct process *p = &s->processes[sent->rank];
    sched_delivery_send(w, sent->rank, s->bodies.data + sent->at, sent->size, 0);
    bool now = sent->now;
    sent->now = false; /* whoever sends it again does not need the answer */
    if (!sent->released)
        return;
    if (!now) {
        s->count.behind++;
        owe(p, sent->step);
        return;
    }
    p->at_work = p->bare = true;
    p->makes = sent->step && !sent->step->made ? sent->step : NULL;
    if (p->makes)
        p->makes->records.size = p->makes->n_nobodies = 0;
}

static void give_up(struct sched_world *w, int rank, const char *why)
{
    if (!w->untrue)
        w->untrue = sched_format("rank %d %s", rank, why);
    w->in->steps->left = true;
    sched_world_end(w, SCHED_END_NOT_FORKED);
}

bool sched_steps_flush(struct sched_world *w)
{
    struct sched_steps *s = w->in->steps;
    if (!s || (s->done == s->n && !s->astray))
        return true;
    if (s->astray && !w->in->keeper->go_back(w)) {
        sched_world_end(w, SCHED_END_NOT_FORKED);
        return false;
    }
    while (s->done < s->n)
        send_one(w, &s->sent[s->done++]);
    return true;
}

void sched_steps_sent(struct sched_world *w)
{
    struct sched_steps *s = w->in->steps;
    bool any = false;
    for (int i = 0; s && i < s->ranks; i++)
        any |= s->processes[i].at_work;
    if (any)
        sched_steps_flush(w);
}

/* ---- what they say ---- */

bool sched_steps_waits(const struct sched_world *w)
{
    for (int i = 0; w->in->steps && i < w->n; i++)
        if (w->in->ranks[i].again)
            return true;
    return false;
}

void sched_steps_answer(struct sched_world *w)
{
    for (int i = 0; w->in->steps && i < w->n && w->ending == SCHED_END_NONE; i++) {
        struct sched_rank *r = &w->in->ranks[i];
        const struct sched_step *step = r->again;
        if (!step)
            continue;
        r->again = NULL;
        for (size_t k = 0; k < step->n_nobodies; k++)
            sched_deeds_nobody(&w->run->deeds, w->n, step->nobodies[k]);
        sched_records_tell_again(w, i, &step->records);
        reach(r, step, i);
    }
}

bool sched_steps_are_owed(const struct sched_world *w, int rank)
{
    const struct process *p = w->in->steps ? &w->in->steps->processes[rank] : NULL;
    return p && p->first < p->n;
}

/* What a step may have told beside calls: then it is never left out. */
static bool is_aside(uint8_t type)
{
    return type == ISP_MSG_FINDING || type == ISP_MSG_STARTED || type == ISP_MSG_UNSTARTED ||
           type == ISP_MSG_OVERWRITTEN;
}

/* What says nothing of the program. */
static bool is_ours(uint8_t type)
{
    return type == ISP_MSG_CALLS || type == ISP_MSG_SITE || type == ISP_MSG_TYPE || type == ISP_MSG_SEGMENT ||
           type == ISP_MSG_ACTED || type == ISP_MSG_BACK || type == ISP_MSG_SPOILT ||
           type == ISP_MSG_NO_FORK || type == ISP_MSG_STATE || type == ISP_MSG_DIFFERS;
}

/* What it says of that depends on what it has said before, and is only for words. */
static bool is_for_words(uint8_t type) { return type == ISP_MSG_NOBODY; }

bool sched_steps_hears(struct sched_world *w, int rank, uint8_t type, struct isp_reader *in)
{
    struct sched_steps *s = w->in->steps;
    if (!s || s->over || is_ours(type))
        return false;
    struct process *p = &s->processes[rank];
    if (is_for_words(type)) {
        bool again = sched_steps_are_owed(w, rank);
        in->at = again ? in->end : in->at;
        return again;
    }
    if (!sched_steps_are_owed(w, rank)) {
        p->bare = false;
        if (w->in->keeper->can_return(w) && !w->in->finalizing && !(is_aside(type) && p->at_work))
            s->left = true;
        return false;
    }
    const struct sched_step *step = p->owed[p->first];
    if (!is_aside(type) || (step && step->bare))
        give_up(w, rank, "does something else when it goes on again as it did before");
    in->at = in->end;
    return true;
}

void sched_steps_hear_call(struct sched_world *w, int rank, const struct isp_call *call)
{
    struct sched_steps *s = w->in->steps;
    struct process *p = s ? &s->processes[rank] : NULL;
    if (!p || !p->makes)
        return;
    isp_put_call(&p->makes->records, call);
}

void sched_steps_hear_nobody(struct sched_world *w, int rank, const struct sched_deed *deed)
{
    struct sched_step *step = w->in->steps ? w->in->steps->processes[rank].makes : NULL;
    if (!step)
        return;
    step->nobodies = sched_grow(step->nobodies, step->n_nobodies + 1, sizeof *deed);
    step->nobodies[step->n_nobodies++] = *deed;
}

void sched_steps_made(struct sched_world *w, int rank, bool alone)
{
    struct sched_steps *s = w->in->steps;
    struct process *p = s ? &s->processes[rank] : NULL;
    if (!p)
        return;
    if (p->makes) {
        p->makes->made = true;
        p->makes->bare = p->bare && alone;
        s->known.bytes += p->makes->records.room;
        s->count.made++;
    }
    p->makes = NULL;
    p->at_work = false;
}

void sched_steps_hear_again(struct sched_world *w, int rank, const struct isp_call *call)
{
    struct sched_steps *s = w->in->steps;
    struct process *p = &s->processes[rank];
    const struct sched_step *step = p->owed[p->first];
    if (!step || !step->made)
        return;
    s->call.size = 0;
    isp_put_call(&s->call, call);
    if (p->heard + s->call.size > step->records.size ||
        memcmp(step->records.data + p->heard, s->call.data, s->call.size) != 0)
        give_up(w, rank, "calls something else when it goes on again as it did before");
    p->heard += s->call.size;
}

bool sched_steps_made_again(struct sched_world *w, int rank)
{
    struct process *p = &w->in->steps->processes[rank];
    const struct sched_step *step = p->owed[p->first++];
    if (step && step->made && p->heard != step->records.size)
        give_up(w, rank, "calls less when it goes on again as it did before");
    p->heard = 0;
    return p->first == p->n && !p->at_work;
}

static bool are_owed(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (sched_steps_are_owed(w, i) && !w->in->ranks[i].peer->eof)
            return true;
    return false;
}

bool sched_steps_catch_up(struct sched_world *w, double patience_s)
{
    double until_s = sched_now_s() + patience_s;
    while (w->in->steps && are_owed(w)) {
        if (w->in->launch->gone || sched_now_s() >= until_s)
            return false;
        sched_world_listen(w);
    }
    return !w->untrue;
}

/* ---- states ---- */

void sched_steps_doubt(struct sched_world *w)
{
    struct sched_steps *s = w->in->steps;
    for (int i = 0; s && s->checks && i < w->n; i++) {
        struct sched_rank_state *state = &w->in->ranks[i].state;
        if (state->told && state->again && !w->in->keeper->has_ended(w, i)) {
            s->processes[i].doubted = (struct sched_point){state->low, state->high};
            state->told = false;
        }
    }
}

static void check(struct sched_steps *s, int rank, const struct sched_rank_state *state)
{
    struct sched_point *should = &s->processes[rank].doubted;
    FILE *file = sched_point_is_known(*should) ? fopen(s->checks, "ae") : NULL;
    bool same = state->known && state->low == should->low && state->high == should->high;
    if (file) {
        if (same)
            fputs("same\n", file);
        else
            fprintf(file, "not the same: a step of rank %d: %s\n", rank,
                    state->known ? "another state" : state->why);
        fclose(file);
    }
    *should = SCHED_NOWHERE;
}

void sched_steps_take_states(struct sched_world *w)
{
    struct sched_steps *s = w->in->steps;
    for (int i = 0; s && s->checks && i < w->n; i++)
        check(s, i, &w->in->ranks[i].state);
    for (int i = 0; is_on(w) && i < w->n; i++) {
        struct sched_rank *r = &w->in->ranks[i];
        struct sched_step *step =
            sched_point_is_known(r->point) ? sched_known_steps_find(&s->known, r->point) : NULL;
        bool known = r->state.told && r->state.known;
        if (step && known) {
            step->known = true;
            step->low = r->state.low;
            step->high = r->state.high;
        }
        r->point = known ? sched_point_of_state(i, r->state.low, r->state.high) : SCHED_NOWHERE;
        r->data = SCHED_NO_DATA;
    }
}

/* ---- who keeps the world ---- */

size_t sched_steps_at(const struct sched_world *w) { return w->in->steps ? w->in->steps->n : 0; }

bool sched_steps_are_even(const struct sched_world *w)
{
    const struct sched_steps *s = w->in->steps;
    return !s || (s->done == s->n && !s->astray && !are_owed(w));
}

void sched_world_leave_states(struct sched_world *w)
{
    if (w->in->steps)
        w->in->steps->left = true;
}

bool sched_steps_are_left(const struct sched_world *w) { return w->in->steps && w->in->steps->left; }

void sched_steps_begin(struct sched_world *w)
{
    struct sched_steps *s = w->in->steps;
    if (!s)
        return;
    s->n = s->done = s->bodies.size = 0;
    s->over = s->left;
}

void sched_steps_go_back(struct sched_world *w, size_t at)
{
    struct sched_steps *s = w->in->steps;
    if (!s || at >= s->n)
        return;
    s->astray |= s->done > at;
    s->done = s->done < at ? s->done : at;
    s->n = at;
    s->bodies.size = s->sent[at].at;
}

void sched_steps_stand(struct sched_world *w, size_t sent)
{
    struct sched_steps *s = w->in->steps;
    if (!s)
        return;
    s->done = sent;
    s->astray = false;
    for (int i = 0; i < s->ranks; i++) {
        struct process *p = &s->processes[i];
        *p = (struct process){.owed = p->owed, .doubted = p->doubted};
    }
}

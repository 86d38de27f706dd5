/* SPDX-License-Identifier: BSD-3-Clause */
/* See checkpoints.h; the world's side: keeper.c. */
#include "checkpoints.h"

#include <signal.h>
#include <string.h>

#include "base/alloc.h"
#include "base/now.h"
#include "keeper.h"
#include "segments.h"
#include "world/patience.h"
#include "world/steps.h"
#include "world/told.h"
#include "world_state.h"

static const double PATIENCE_S = 10;   /* for processes to end */
static const double LISTEN_MOST_S = 1; /* the world ticks more often: what takes longer isp has slept */

struct sched_checkpoints *sched_checkpoints_create(int ranks, size_t max, enum sched_checkpoints_use use)
{
    struct sched_checkpoints *c = sched_alloc(1, sizeof *c);
    c->ranks = ranks;
    c->max = max;
    c->use = use;
    c->segments = sched_segments_create();
    c->lines = sched_alloc((size_t)ranks, sizeof *c->lines);
    c->moved = sched_alloc((size_t)ranks, sizeof *c->moved);
    memset(c->moved, true, (size_t)ranks);
    for (int i = 0; i < ranks; i++) {
        c->lines[i].all = sched_alloc(1, sizeof(struct level));
        c->lines[i].n = 1;
    }
    return c;
}

static void pop_level(struct line *l)
{
    struct level *p = &l->all[--l->n];
    for (size_t i = 0; i < p->n_last; i++)
        sched_told_drop(&p->last[i]);
    free(p->last);
}

static void checkpoint_finish(struct checkpoint *p)
{
    sched_world_state_destroy(p->state);
    sched_memory_destroy(p->memory);
}

static void pop_checkpoint(struct sched_checkpoints *c) { checkpoint_finish(&c->stack[--c->n]); }

void sched_checkpoints_destroy(struct sched_checkpoints *c)
{
    if (!c)
        return;
    while (c->n)
        pop_checkpoint(c);
    for (int i = 0; i < c->ranks; i++) {
        while (c->lines[i].n)
            pop_level(&c->lines[i]);
        free(c->lines[i].all);
    }
    free(c->lines);
    free(c->moved);
    free(c->stack);
    sched_segments_destroy(c->segments);
    free(c->refused);
    free(c);
}

bool sched_checkpoints_are_wanted(const struct sched_world *w) { return w->in->checkpoints; }

size_t sched_checkpoints_count(const struct sched_world *w)
{
    return w->in->checkpoints ? w->in->checkpoints->n : 0;
}

const char *sched_checkpoints_refused(const struct sched_world *w)
{
    return w->in->checkpoints ? w->in->checkpoints->refused : NULL;
}

void sched_checkpoints_refuse(struct sched_checkpoints *c, const char *why)
{
    if (!c->refused)
        c->refused = sched_strdup(why);
    while (c->n)
        pop_checkpoint(c);
}

/* How many levels of the line began before the checkpoint. */
static unsigned born_before(const struct line *l, uint64_t serial)
{
    unsigned n = l->n;
    while (n > 1 && l->all[n - 1].since >= serial)
        n--;
    return n;
}

/* ---- making one ---- */

static bool is_at_fence(const struct sched_rank *r)
{
    return r->waiting > 0 && r->quiet && !r->guessed && !r->n_held;
}

/* It takes GO frames without releases. */
static bool takes_frames(const struct sched_rank *r) { return r->waiting || r->able || r->holds; }

/* What keeps this world from having any, as far as isp can see. */
static const char *look(const struct sched_world *w)
{
    if (sched_rma_is_on(w->rma))
        return "the program has windows";
    for (int i = 0; i < w->n; i++)
        if (!is_at_fence(&w->in->ranks[i]) && !w->in->ranks[i].holds && !w->in->ranks[i].stopped &&
            !w->in->ranks[i].gone)
            return "a rank has several threads";
    return NULL;
}

/* One that waits for leave to die does nothing else. */
bool sched_checkpoints_acts(const struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->in->ranks[rank];
    return w->in->checkpoints && w->in->checkpoints->lines[rank].acts && !r->gone && (!r->stopped || r->able);
}

/* A rank that has been asked and has not said that it is done, or -1. */
static int first_acting(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (sched_checkpoints_acts(w, i))
            return i;
    return -1;
}

/* Until all are done. What they do may be the program's (a reduction operation of its own), and may never
 * end. */
static void await_acting(struct sched_world *w)
{
    double limit_s = w->run->options->timeout_s, waited_s = 0;
    int acting, last = -1;
    while ((acting = first_acting(w)) >= 0 && !w->in->checkpoints->refused && w->ending == SCHED_END_NONE) {
        double before_s = sched_now_s();
        sched_world_listen(w);
        double took_s = sched_now_s() - before_s;
        waited_s = acting != last ? 0 : waited_s + (took_s < LISTEN_MOST_S ? took_s : LISTEN_MOST_S);
        last = acting;
        if (limit_s > 0 && waited_s >= limit_s && w->ending == SCHED_END_NONE) {
            w->hanging = acting;
            sched_world_end(w, SCHED_END_HANG);
        }
    }
}

/* Asks the ranks that have something to do whether it is done, and for the first time all ranks whether they
 * can be forked; false: some rank has died, or one cannot be. */
static bool settle(struct sched_world *w)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    uint8_t marks = ISP_GO_ANSWER | (c->asked ? 0 : ISP_GO_PROBE);
    for (int i = 0; i < w->n; i++)
        if (takes_frames(&w->in->ranks[i]) && (c->lines[i].acts || !c->asked)) {
            c->lines[i].acts = true;
            sched_world_ask(w, i, marks, 0);
        }
    c->asked = true;
    await_acting(w);
    return !c->refused && w->ending == SCHED_END_NONE;
}

static void drop(struct sched_checkpoints *c, size_t i)
{
    checkpoint_finish(&c->stack[i]);
    memmove(c->stack + i, c->stack + i + 1, (--c->n - i) * sizeof *c->stack);
}

/* With those that can be reached from it only. */
static void drop_oldest(struct sched_checkpoints *c)
{
    do
        drop(c, 0);
    while (c->n && !c->stack[0].memory);
}

const struct checkpoint *sched_checkpoints_newest(const struct sched_checkpoints *c)
{
    for (size_t i = c->n; i > 0; i--)
        if (c->stack[i - 1].memory)
            return &c->stack[i - 1];
    return NULL;
}

static void push(struct sched_run_state *run, unsigned number, struct sched_memory *memory)
{
    struct sched_checkpoints *c = run->world->in->checkpoints;
    if (c->n == c->max)
        drop_oldest(c);
    SCHED_GROW(c->stack, c->n);
    c->stack[c->n++] = (struct checkpoint){memory ? ++c->newest : c->newest, number, sched_world_save(run),
                                           memory, sched_steps_at(run->world)};
}

/* No step is left out any more: what is isp's alone is of no use. */
static void leave_steps(struct sched_world *w)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    if (!sched_steps_are_left(w))
        return;
    for (size_t i = c->n; i > 0; i--) {
        c->stack[i - 1].step = 0;
        if (!c->stack[i - 1].memory)
            drop(c, i - 1);
    }
    sched_steps_begin(w);
}

void sched_checkpoints_make(struct sched_run_state *run, unsigned number)
{
    struct sched_world *w = run->world;
    struct sched_checkpoints *c = w->in->checkpoints;
    if (!c || c->refused || (c->n && c->stack[c->n - 1].number == number) ||
        (c->n == c->max && c->use != SCHED_CHECKPOINTS_LAST) || sched_patience_any_idle(w))
        return;
    const char *why = look(w);
    if (why) {
        sched_checkpoints_refuse(c, why);
        return;
    }
    sched_world_deliver(w);
    if (!sched_steps_are_even(w) && !sched_steps_are_left(w) && sched_checkpoints_newest(c)) {
        push(run, number, NULL);
        return;
    }
    if (!sched_steps_flush(w) || !settle(w))
        return;
    leave_steps(w);
    if (w->n > 1 && sched_segments_count(c->segments) == 0) {
        sched_checkpoints_refuse(c, "MPI's shared memory is not known");
        return;
    }
    struct sched_memory *memory = sched_segments_save(c->segments, c->moved);
    if (!memory) {
        sched_checkpoints_refuse(c, "a rank has truncated MPI's shared memory");
        return;
    }
    push(run, number, memory);
    memset(c->moved, false, (size_t)w->n);
}

void sched_checkpoints_close(struct sched_world *w, unsigned number)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    /* where processes are elsewhere they may have to come here from it */
    if (c && c->n && c->stack[c->n - 1].number == number &&
        (!c->stack[c->n - 1].memory || sched_steps_are_even(w)))
        pop_checkpoint(c);
}

bool sched_checkpoints_stay(struct sched_world *w)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    uint32_t none; /* no level is dropped */
    for (int i = 0; i < w->n; i++)
        if (takes_frames(&w->in->ranks[i]))
            sched_world_ask(w, i, w->in->keeper->go(w, i, &none) | ISP_GO_ANSWER, 0);
    await_acting(w);
    return !c->refused && w->ending == SCHED_END_NONE;
}

void sched_checkpoints_drop(struct sched_world *w, unsigned number)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    for (size_t i = 0; i < c->n; i++)
        if (c->stack[i].number == number) {
            drop(c, i);
            return;
        }
}

/* ---- the end of a run ---- */

bool sched_checkpoints_any_writes(const struct sched_checkpoints *c)
{
    for (int i = 0; i < c->ranks; i++)
        if (c->lines[i].acts)
            return true;
    return false;
}

bool sched_checkpoints_put_back_memory(struct sched_checkpoints *c, const struct checkpoint *to)
{
    if (c->ahead == to->serial)
        return true;
    for (int i = 0; i < c->ranks; i++)
        c->moved[i] = c->lines[i].n > born_before(&c->lines[i], to->serial);
    if (!sched_segments_restore(c->segments, to->memory, c->moved))
        return false;
    c->ahead = to->serial;
    return true;
}

/* Its last process reads the socket, or is about to end by itself. */
static bool is_at_rest(const struct sched_rank *r)
{
    return r->gone || r->waiting || r->stopped || r->exited;
}

static bool is_lost(const struct sched_checkpoints *c, uint64_t serial)
{
    for (int i = 0; i < c->ranks; i++) {
        const struct line *l = &c->lines[i];
        if (l->live + 1 < born_before(l, serial) && !l->all[l->live + 1].known)
            return true;
    }
    return false;
}

/* A process that died otherwise than it was told to has taken the levels with it to which it would have gone
 * back itself. */
static void forget_lost(struct sched_checkpoints *c)
{
    while (c->n && is_lost(c, c->stack[c->n - 1].serial))
        pop_checkpoint(c);
}

bool sched_checkpoints_rest(struct sched_world *w)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    if (!c || !c->n || !sched_ending_is_own(w->ending) || c->spoilt || w->in->launch->gone)
        return false;
    for (int i = 0; i < w->n; i++)
        if (!is_at_rest(&w->in->ranks[i]))
            return false;
    if (!sched_steps_catch_up(w, PATIENCE_S))
        return false;
    if (w->ending == SCHED_END_FINISHED)
        sched_keeper_note_ends(w);
    forget_lost(c);
    return c->n > 0;
}

/* ---- going back ---- */

int sched_checkpoints_find(const struct sched_world *w, unsigned number)
{
    const struct sched_checkpoints *c = w->in->checkpoints;
    for (size_t i = c->n; i > 0; i--)
        if (c->stack[i - 1].number <= number)
            return (int)c->stack[i - 1].number;
    return -1;
}

/* A process that is about to leave must not be asked to: its parent would hear it. Only the last one of a
 * line leaves by itself. */
static bool leaves(const struct line *l, const struct sched_rank *r)
{
    bool over = r->finalized || (r->exited && !r->stopped);
    const struct level *p = &l->all[l->live];
    return l->live == l->n - 1 && ((p->known && !p->waits) || (over && !r->gone));
}

/* It computes: it would not read that it is to end. What it has not read is forgotten by its parent, in
 * shared memory only. True: it was killed. */
static bool end_busy(struct sched_world *w, int rank)
{
    const struct sched_rank *r = &w->in->ranks[rank];
    if (takes_frames(r) || r->stopped || r->exited || r->gone || w->run->options->tcp)
        return false;
    pid_t process = sched_checkpoints_process(w, rank);
    return process != (pid_t)r->peer->pid && kill(process, SIGKILL) == 0;
}

/* Asks the levels that began since to end. False: none is left. */
static bool ask_since(struct sched_world *w, uint64_t serial)
{
    bool any = false;
    for (int i = 0; i < w->n; i++) {
        struct line *l = &w->in->checkpoints->lines[i];
        if (l->live <= born_before(l, serial) - 1)
            continue;
        any = true;
        if (!l->asked && !leaves(l, &w->in->ranks[i]) && !end_busy(w, i))
            sched_world_end_process(w, i);
        l->asked = true;
    }
    return any;
}

/* False: they do not end. */
static bool end_since(struct sched_world *w, uint64_t serial)
{
    double until_s = sched_now_s() + PATIENCE_S;
    while (ask_since(w, serial)) {
        if (w->in->launch->gone || w->in->checkpoints->spoilt || sched_now_s() >= until_s)
            return false;
        sched_world_listen(w);
    }
    /* the last one to say BACK may have said that it is too far back */
    return !w->in->checkpoints->spoilt && !is_lost(w->in->checkpoints, serial);
}

static bool return_to(struct sched_world *w, const struct checkpoint *to)
{
    struct sched_checkpoints *c = w->in->checkpoints;
    /* Meanwhile; but what shows its output still ends as it would without isp, and MPI with it. */
    if (ask_since(w, to->serial) && w->in->hush && !sched_checkpoints_any_writes(c))
        sched_checkpoints_put_back_memory(c, to);
    if (!end_since(w, to->serial) || !sched_checkpoints_put_back_memory(c, to))
        return false;
    c->ahead = 0;
    for (int i = 0; i < w->n; i++) {
        struct line *l = &c->lines[i];
        for (unsigned n = born_before(l, to->serial); l->n > n;)
            pop_level(l);
        l->acts = l->asked = false;
    }
    memset(c->moved, false, (size_t)w->n);
    sched_world_forget_types(w, to->state);
    sched_steps_stand(w, to->step);
    return true;
}

bool sched_checkpoints_go_back(struct sched_world *w)
{
    const struct checkpoint *to = sched_checkpoints_newest(w->in->checkpoints);
    if (!to || !sched_steps_catch_up(w, PATIENCE_S))
        return false;
    w->in->returning = true;
    bool ok = return_to(w, to);
    w->in->returning = false;
    return ok;
}

/* Each rank waits in a fence, and so does its process, or will: it can stay there until it is needed. */
static bool may_stay(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++) {
        const struct sched_rank *r = &w->in->ranks[i];
        if (!r->waiting || r->stopped || r->gone || r->exited || r->finalized)
            return false;
    }
    return w->in->steps && !sched_steps_are_left(w) && !w->in->finalizing;
}

/* A rank whose connection has ended meanwhile has no process left, whatever the saved state says. */
static bool are_there(const struct sched_world *w)
{
    for (int i = 0; i < w->n; i++)
        if (!w->in->ranks[i].gone && w->in->ranks[i].peer->eof)
            return false;
    return true;
}

bool sched_checkpoints_rewind(struct sched_run_state *run, unsigned number)
{
    struct sched_world *w = run->world;
    struct sched_checkpoints *c = w->in->checkpoints;
    bool stay = may_stay(w);
    while (c->n && c->stack[c->n - 1].number > number)
        pop_checkpoint(c);
    leave_steps(w);
    if (!c->n)
        return false;
    const struct checkpoint *top = &c->stack[c->n - 1];
    sched_steps_go_back(w, top->step);
    if (!stay && !return_to(w, sched_checkpoints_newest(c)))
        return false;
    sched_world_restore(run, top->state);
    w->in->hush = !w->run->apart; /* told apart, it is told from where the checkpoint was */
    return are_there(w);
}

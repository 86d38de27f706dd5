/* SPDX-License-Identifier: BSD-3-Clause */
/* See world_source.h. One world is kept beside the one that is in use: that of the search, while a second run
 * is made for a finding. */
#include "world_source.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "check/deeds.h"
#include "findings/findings.h"
#include "checkpoints.h"
#include "world/inside.h"
#include "world/steps.h"
#include "poe/search.h"

struct sched_world_source {
    struct event_base *base;
    unsigned checkpoints;
    struct sched_run_state kept;     /* world NULL: none is kept */
    const struct poe_search *search; /* whose the world in use, or kept, is */
    bool buffered;
    char *why;
    uint64_t launched, resumed;
    struct sched_steps_count steps;
};

struct sched_world_source *sched_source_create(struct event_base *base, unsigned checkpoints)
{
    struct sched_world_source *s = sched_alloc(1, sizeof *s);
    s->base = base;
    s->checkpoints = checkpoints;
    return s;
}

static void finish(struct sched_world_source *s, struct sched_run_state *state)
{
    sched_steps_count(state->world, &s->steps);
    sched_decisions_destroy(state->decisions);
    free(state->choices);
    sched_deeds_destroy(state->run.deeds);
    state->world->run = &state->run; /* it may have been moved */
    sched_world_stop(state->world);
    sched_world_destroy(state->world);
    *state = (struct sched_run_state){0};
}

static void drop_kept(struct sched_world_source *s)
{
    if (s->kept.world)
        finish(s, &s->kept);
}

void sched_source_destroy(struct sched_world_source *s)
{
    drop_kept(s);
    free(s->why);
    free(s);
}

/* ---- going on from a checkpoint ---- */

static bool is_same_way(const struct sched_run_state *kept, const struct poe_search *search, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (i >= kept->made || kept->choices[i] != poe_search_taken(search, i))
            return false;
    return true;
}

/* The checkpoint from which the kept world can go on to this prefix; -1: there is none. */
static int find(const struct sched_world_source *s, const struct sched_world_request *r)
{
    if (!s->kept.world || !r->search || r->search != s->search || r->buffered != s->buffered ||
        r->prefix == 0)
        return -1;
    int number = sched_checkpoints_find(s->kept.world, r->prefix - 1);
    return number >= 0 && is_same_way(&s->kept, r->search, (unsigned)number) ? number : -1;
}

static void note_refusal(struct sched_world_source *s, const struct sched_world *w)
{
    const char *why = sched_checkpoints_refused(w);
    if (why && !s->why)
        s->why = sched_strdup(why);
}

/* Ends its world. What the caller wants of the run stays. */
static void undo(struct sched_world_source *s, struct sched_run_state *state)
{
    struct sched_run_state over = *state;
    *state = (struct sched_run_state){
        .run = over.run, .check = over.check, .decisions = over.decisions ? sched_decisions_create() : NULL};
    state->run.poe = NULL;
    state->run.deeds = NULL;
    state->run.overwritten = NULL;
    state->run.n_overwritten = 0;
    finish(s, &over);
}

/* The run takes over what the kept one had. */
static bool resume(struct sched_world_source *s, const struct sched_world_request *r, unsigned number)
{
    struct sched_run_state *to = r->state, *kept = &s->kept;
    to->world = kept->world;
    to->run.poe = kept->run.poe;
    to->run.deeds = kept->run.deeds;
    to->run.overwritten = kept->run.overwritten;
    to->run.n_overwritten = kept->run.n_overwritten;
    sched_decisions_destroy(to->decisions);
    to->decisions = kept->decisions;
    to->choices = kept->choices;
    *kept = (struct sched_run_state){0};
    unsigned listeners = to->run.listeners.n;
    sched_world_use(to->world, &to->run);
    if (sched_link_listen_again(to->world->in->link) && sched_checkpoints_rewind(to, number)) {
        s->resumed++;
        return true;
    }
    undo(s, to);
    to->run.listeners.n = listeners; /* the world's own are gone with it */
    return false;
}

void sched_source_again(struct sched_world_source *s, struct sched_run_state *state)
{
    note_refusal(s, state->world);
    state->run.counted = state->made;
    undo(s, state);
}

struct sched_world *sched_source_open(struct sched_world_source *s, const struct sched_world_request *r)
{
    int number = r->plain ? -1 : find(s, r);
    if (number >= 0 && resume(s, r, (unsigned)number))
        return r->state->world;
    if (r->search)
        drop_kept(s);
    struct sched_world *w = sched_world_create(s->base, &sched_checkpoints_keeper, &r->state->run,
                                               r->buffered, r->output, r->interrupted);
    w->launched = ++s->launched;
    if (r->search)
        s->search = r->search;
    bool random = r->state->run.options->sample > 0; /* such walks part early */
    if (r->search && s->checkpoints && !s->why && !r->plain)
        w->in->checkpoints = sched_checkpoints_create(
            w->n, s->checkpoints, random ? SCHED_CHECKPOINTS_FIRST : SCHED_CHECKPOINTS_LAST);
    else if (!r->search && r->marks)
        w->in->checkpoints = sched_checkpoints_create(w->n, r->marks, SCHED_CHECKPOINTS_DEBUG);
    if (w->in->checkpoints)
        sched_findings_log(r->state->run.findings);
    if (w->in->checkpoints && r->state->run.merge)
        w->in->steps = sched_steps_create(w->n);
    return w;
}

/* ---- the end of a run ---- */

void sched_source_rest(struct sched_world_source *s, struct sched_world *w)
{
    note_refusal(s, w);
    if (sched_checkpoints_rest(w)) {
        sched_link_rest(w->in->link);
        return;
    }
    sched_world_stop(w);
}

void sched_source_close(struct sched_world_source *s, struct sched_run_state *state)
{
    if (!sched_checkpoints_count(state->world) || state->world->in->launch->gone) {
        finish(s, state);
        return;
    }
    drop_kept(s);
    s->kept = *state;
    s->buffered = state->run.buffered;
    *state = (struct sched_run_state){0};
}

void sched_source_forget(struct sched_world_source *s) { drop_kept(s); }

uint64_t sched_source_launched(const struct sched_world_source *s) { return s->launched; }

uint64_t sched_source_resumed(const struct sched_world_source *s) { return s->resumed; }

struct sched_steps_count sched_source_steps(const struct sched_world_source *s) { return s->steps; }

const char *sched_source_why(const struct sched_world_source *s) { return s->why; }

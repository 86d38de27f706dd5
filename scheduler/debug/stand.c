/* SPDX-License-Identifier: BSD-3-Clause */
/* See stand.h. */
#include "stand.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "check/check.h"
#include "findings/findings.h"
#include "isp/functions.h"
#include "world/hold.h"

static const bool never;

/* ---- as recorded ---- */

static bool is_same(const struct isp_call *a, const struct isp_call *b)
{
    return a->op == b->op && a->mode == b->mode && a->fn == b->fn && a->site == b->site &&
           a->peer == b->peer && a->tag == b->tag && a->bytes == b->bytes && a->root == b->root &&
           a->n == b->n;
}

static void compare(void *self, struct sched_run *run, int rank, const struct isp_call *call)
{
    struct sched_stand *stand = self;
    if (call->thread || call->op == ISP_OP_READY || stand->strayed.rank >= 0)
        return;
    struct sched_record_name name = {rank, (uint32_t)poe_next_index(run->poe, rank, 0)};
    const struct sched_record_event *e = sched_record_find(stand->of->record, name);
    bool last = call->op == ISP_OP_FINALIZE && name.number == stand->of->record->of[rank].n;
    if (!last && (!e || !is_same(&e->call, call)))
        stand->strayed = name;
}

static const struct sched_listener comparison = {.call = compare};

/* ---- worlds ---- */

static void add_listeners(struct sched_stand *stand)
{
    struct sched_listeners *l = &stand->s.run.listeners;
    sched_listeners_add(l, &sched_check_listener, NULL);
    if (!stand->recording) {
        sched_listeners_add(l, &comparison, stand);
        return;
    }
    sched_listeners_add(l, &sched_record_listener, stand->recording);
    sched_listeners_add(l, &sched_decisions_listener, stand->s.decisions);
}

void sched_stand_recorded(struct sched_stand *stand)
{
    struct sched_listeners *l = &stand->s.run.listeners;
    stand->recording = NULL;
    l->n -= 2; /* the last two are of the recording */
    sched_listeners_add(l, &comparison, stand);
}

static struct sched_stand *create(struct sched_stands *of)
{
    struct sched_stand *stand = sched_alloc(1, sizeof *stand);
    const struct sched_options *o = of->engine->options;
    struct sched_result *r = of->engine->result;
    *stand = (struct sched_stand){.of = of, .strayed = {.rank = -1}};
    sched_marks_init(&stand->marks, o->ranks);
    stand->s.run = (struct sched_run){.options = o,
                                      .sites = r->sites,
                                      .findings = r->findings,
                                      .signatures = of->engine->signatures,
                                      .interleaving = "",
                                      .buffered = of->buffered,
                                      .mixed = o->mixed,
                                      .apart = of->printed,
                                      .kept = o->kept,
                                      .n_kept = o->n_kept};
    return stand;
}

static void launch(struct sched_stand *stand)
{
    struct sched_stands *of = stand->of;
    struct sched_world_request request = {.state = &stand->s,
                                          .buffered = of->buffered,
                                          .output = SCHED_OUTPUT_APART,
                                          .interrupted = &never,
                                          .plain = true,
                                          .marks = SCHED_MARKS_MOST};
    sched_findings_begin_run(of->engine->result->findings);
    stand->s.world = sched_source_open(of->engine->source, &request);
    of->launched++;
    for (int i = 0; i < stand->s.world->n; i++)
        sched_hold_at(stand->s.world, i, ISP_HOLD_IN_INIT);
    sched_hold_attend(stand->s.world, of->wanted);
    add_listeners(stand);
    sched_tell_begin(&stand->s.run, 0);
}

struct sched_stand *sched_stand_create(struct sched_stands *of)
{
    struct sched_stand *stand = create(of);
    launch(stand);
    return stand;
}

struct sched_stand *sched_stand_create_first(struct sched_stands *of, struct sched_record *recording,
                                             const unsigned *forced, unsigned n_forced)
{
    struct sched_stand *stand = create(of);
    stand->recording = recording;
    stand->forced = forced;
    stand->n_forced = n_forced;
    stand->s.decisions = sched_decisions_create();
    launch(stand);
    return stand;
}

void sched_stand_destroy(struct sched_stand *stand)
{
    if (!stand)
        return;
    sched_source_close(stand->of->engine->source, &stand->s);
    sched_source_forget(stand->of->engine->source);
    sched_marks_finish(&stand->marks);
    free(stand->why);
    free(stand);
}

/* ---- on ---- */

void sched_stand_limit(struct sched_stand *stand, const uint64_t *limits)
{
    for (int i = 0; i < stand->s.world->n; i++)
        sched_hold_at(stand->s.world, i, limits[i]);
}

/* Choices that a user has asked for: what is not there makes no run. */
static bool choose_forced(struct sched_stand *stand, const struct poe_choice *c, unsigned *k)
{
    *k = c->number < stand->n_forced ? stand->forced[c->number] : 0;
    if (*k <= c->n)
        return true;
    stand->why =
        sched_format("choice point %u has %u alternative%s, and %u is asked for: this is not an interleaving "
                     "of the program",
                     c->number, c->n, c->n == 1 ? "" : "s", *k);
    return false;
}

static bool decide(struct sched_stand *stand)
{
    struct poe *poe = stand->s.run.poe;
    const struct poe_choice *c = poe_choice(poe);
    unsigned k;
    if (!stand->recording)
        k = sched_decisions_find(stand->of->guide, poe, c, true);
    else if (!choose_forced(stand, c, &k))
        return false;
    sched_tell_choice(&stand->s.run, c);
    sched_tell_decide(&stand->s.run, c, k);
    poe_decide(poe, k);
    SCHED_GROW(stand->s.choices, stand->s.made);
    stand->s.choices[stand->s.made++] = k;
    return true;
}

/* A world that cannot go on: why, in words; NULL: it is as far as it goes. */
static char *lost(const struct sched_world *w)
{
    switch (w->ending) {
    case SCHED_END_FAILED: return sched_strdup(w->error ? w->error : "the ranks could not be started");
    case SCHED_END_KILLED: return sched_format("%s was killed", w->victim ? w->victim : "the launcher");
    case SCHED_END_UNSUPPORTED: return sched_strdup("the program makes a call that isp cannot model");
    default: return NULL;
    }
}

static enum sched_arrival rest(struct sched_stand *stand)
{
    struct sched_world *w = stand->s.world;
    if (sched_world_launch(w))
        sched_launch_catch_up(sched_world_launch(w), NULL);
    if (!stand->why)
        stand->why = lost(w);
    if (stand->why)
        return SCHED_LOST;
    if (stand->strayed.rank >= 0) {
        stand->why =
            sched_format("rank %d does not repeat its call %u as it was recorded: it depends on something "
                         "else than messages",
                         stand->strayed.rank, stand->strayed.number);
        return SCHED_STRAYED;
    }
    return w->ending != SCHED_END_NONE || w->settled ? SCHED_ARRIVED : SCHED_ATTENTION;
}

enum sched_arrival sched_stand_go(struct sched_stand *stand)
{
    struct sched_world *w = stand->s.world;
    while (stand->strayed.rank < 0 && w->ending == SCHED_END_NONE && sched_world_advance(w))
        if (!decide(stand))
            break;
    return rest(stand);
}

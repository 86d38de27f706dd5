/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was found out is kept by the deadlock's key, so that the same deadlock in a thousand interleavings costs
 * one further run.
 */
#include "unsafe.h"

#include <stdlib.h>

#include <uthash.h>

#include "alloc.h"

enum kind { KIND_REAL, KIND_UNSAFE, KIND_LOST };

struct sched_unsafe_verdict {
    char *key;
    enum kind kind;
    UT_hash_handle hh;
};

/* Sends, and collectives that could go on with buffering, that are blocked in the first run; and whether the second
 * run leaves them unmatched. */
struct blocked {
    struct {
        int rank;
        uint64_t index;
        bool collective, lost;
    } *all;
    size_t n;
};

static bool is_blocked(const struct poe_transition *t)
{
    if (!t || t->matched)
        return false;
    if (t->call.op == ISP_OP_COLLECTIVE)
        return t->call.flow != ISP_FLOW_ALL;
    return t->call.op == ISP_OP_SEND && t->call.mode != ISP_SEND_SYNC && !t->held; /* BUFFERED: MPI_Buffer_detach waits for it */
}

static void blocked_add(struct blocked *b, const struct poe_transition *t)
{
    if (!is_blocked(t))
        return;
    for (size_t i = 0; i < b->n; i++)
        if (b->all[i].rank == t->rank && b->all[i].index == t->index)
            return;
    b->all = sched_grow(b->all, b->n + 1, sizeof *b->all);
    b->all[b->n].rank = t->rank;
    b->all[b->n].index = t->index;
    b->all[b->n].collective = t->call.op == ISP_OP_COLLECTIVE;
    b->all[b->n++].lost = false;
}

static void blocked_init(struct blocked *b, struct poe *poe, int ranks)
{
    *b = (struct blocked){0};
    for (int i = 0; i < ranks; i++)
        for (unsigned thread = 0; thread < poe_threads(poe, i); thread++) {
            const struct poe_wait *w = poe_wait_thread(poe, i, thread);
            blocked_add(b, w->at);
            for (unsigned k = 0; k < w->n_pending; k++)
                blocked_add(b, w->pending[k]);
        }
}

static void see_live(const struct poe_transition *t, void *context)
{
    struct blocked *b = context;
    for (size_t i = 0; i < b->n; i++)
        if (b->all[i].rank == t->rank && b->all[i].index == t->index && is_blocked(t))
            b->all[i].lost = true;
}

/* What the first run's deadlock is if the second finished. A collective that some member never calls is no
 * matter of buffering. */
static enum kind kind_if_finished(struct blocked *b, struct poe *poe)
{
    bool all_lost = b->n > 0;
    poe_each_live(poe, see_live, b);
    for (size_t i = 0; i < b->n; i++) {
        if (b->all[i].lost && b->all[i].collective)
            return KIND_REAL;
        all_lost &= b->all[i].lost;
    }
    return all_lost ? KIND_LOST : KIND_UNSAFE;
}

bool sched_unsafe_suspect(struct sched_run_state *state)
{
    struct poe *poe = state->run.poe;
    for (int i = 0; i < state->run.options->ranks; i++)
        for (unsigned thread = 0; thread < poe_threads(poe, i); thread++)
            if (poe_wait_thread(poe, i, thread)->send_blocked)
                return true;
    return false;
}

/* ---- the second run ---- */

/* Starts it. Its findings go to `scratch`: what else it shows belongs to the exploration with buffering. */
static void start_guided(struct sched_engine *engine, struct sched_run_state *guided, const struct sched_run_state *state,
                         struct sched_findings *scratch, bool patient)
{
    *guided = (struct sched_run_state){.run = state->run};
    guided->run.poe = NULL;
    guided->run.findings = scratch;
    struct sched_decider decider = {.guide = state->decisions, .patient = patient};
    sched_run_start(engine, guided, &decider, NULL, true, SCHED_OUTPUT_HIDE, false);
}

static enum kind kind_of(struct sched_run_state *guided, struct blocked *b)
{
    switch (guided->world->ending) {
    case SCHED_END_FINISHED:
        return kind_if_finished(b, guided->run.poe);
    case SCHED_END_MISMATCH:
    case SCHED_END_DIED:
        return KIND_UNSAFE;
    default: /* stuck again; or nothing is known, and then the first run stands */
        return KIND_REAL;
    }
}

static bool is_stuck(const struct sched_run_state *s)
{
    return s->world->ending == SCHED_END_DEADLOCK || s->world->ending == SCHED_END_LIVELOCK;
}

static struct sched_finding *add(struct sched_run_state *s, enum kind kind)
{
    bool livelock = s->world->ending == SCHED_END_LIVELOCK;
    enum isp_rule rule = kind == KIND_UNSAFE ? ISP_RULE_UNSAFE_BUFFERING
                         : livelock          ? ISP_RULE_LIVELOCK
                                             : ISP_RULE_DEADLOCK;
    return sched_check_deadlock(&s->run, livelock, rule);
}

static enum kind find_out(struct sched_engine *engine, struct sched_run_state *state)
{
    struct blocked blocked;
    blocked_init(&blocked, state->run.poe, state->run.options->ranks);
    struct sched_findings *scratch = sched_findings_create();
    struct sched_run_state guided;
    start_guided(engine, &guided, state, scratch, true);
    if (guided.world->ending == SCHED_END_REDUNDANT) { /* it waited for what does not come here */
        sched_run_finish(engine, &guided);
        start_guided(engine, &guided, state, scratch, false);
    }
    enum kind kind = kind_of(&guided, &blocked);
    if (kind == KIND_LOST) {
        guided.run.findings = state->run.findings;
        sched_check_end(&guided.run);
    } else {
        struct sched_finding *finding = add(state, kind);
        if (is_stuck(&guided)) {
            char *key = sched_deadlock_key(&guided.run);
            sched_findings_alias(state->run.findings, key, finding);
            free(key);
        }
    }
    sched_run_finish(engine, &guided);
    sched_findings_destroy(scratch);
    free(blocked.all);
    return kind;
}

bool sched_unsafe_judge(struct sched_engine *engine, struct sched_run_state *state)
{
    char *key = sched_deadlock_key(&state->run);
    struct sched_unsafe_verdict *known;
    HASH_FIND_STR(engine->verdicts, key, known);
    if (known) {
        free(key);
        if (known->kind != KIND_LOST)
            add(state, known->kind);
        return known->kind != KIND_LOST;
    }
    known = sched_alloc(1, sizeof *known);
    known->key = key;
    known->kind = find_out(engine, state);
    HASH_ADD_KEYPTR(hh, engine->verdicts, known->key, strlen(known->key), known);
    return known->kind != KIND_LOST;
}

void sched_unsafe_finish(struct sched_engine *engine)
{
    struct sched_unsafe_verdict *v, *next;
    HASH_ITER(hh, engine->verdicts, v, next) {
        HASH_DEL(engine->verdicts, v);
        free(v->key);
        free(v);
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See unsafe.h. */
#include "unsafe.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "findings/moment.h"

/* Sends, and collectives that could go on with buffering, that are blocked in the first run; and whether the
 * second run leaves them unmatched. */
struct blocked {
    struct {
        int rank;
        uint64_t index;
        bool collective, lost;
    } * all;
    size_t n;
};

static bool is_blocked(const struct poe_transition *t)
{
    if (!t || t->matched)
        return false;
    if (t->call.op == ISP_OP_COLLECTIVE)
        return t->call.flow != ISP_FLOW_ALL || t->call.flags & ISP_F_TAKES_NOTHING;
    /* BUFFERED: MPI_Buffer_detach waits for it */
    return t->call.op == ISP_OP_SEND && t->call.mode != ISP_SEND_SYNC && !t->held;
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

/* A matched probe holds the message: that is told as a warning (leak-message), and no word on who waits. */
static void see_probed(const struct poe_transition *t, void *context)
{
    struct blocked *b = context;
    for (size_t i = 0; i < b->n && sched_check_takes_message(t); i++)
        if (b->all[i].rank == t->source && b->all[i].index == t->source_index)
            b->all[i].lost = false;
}

/* What the first run's deadlock is if the second finished. A collective that some member never calls is no
 * matter of buffering. */
static enum sched_unsafe_kind kind_if_finished(struct blocked *b, struct poe *poe)
{
    bool all_lost = b->n > 0;
    poe_each_live(poe, see_live, b);
    poe_each_live(poe, see_probed, b);
    for (size_t i = 0; i < b->n; i++) {
        if (b->all[i].lost && b->all[i].collective)
            return SCHED_UNSAFE_REAL;
        all_lost &= b->all[i].lost;
    }
    return all_lost ? SCHED_UNSAFE_LOST : SCHED_UNSAFE_UNSAFE;
}

bool sched_unsafe_needs_buffer(struct poe *stuck, struct poe *finished, int ranks)
{
    struct blocked b;
    blocked_init(&b, stuck, ranks);
    enum sched_unsafe_kind kind = kind_if_finished(&b, finished);
    free(b.all);
    return kind == SCHED_UNSAFE_UNSAFE;
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
static void start_guided(struct sched_engine *engine, struct sched_run_state *guided,
                         const struct sched_run_state *state, struct sched_findings *scratch, bool patient)
{
    *guided = (struct sched_run_state){.run = state->run};
    guided->run.poe = NULL;
    guided->run.trace = NULL;
    guided->run.overwritten = NULL;
    guided->run.n_overwritten = 0;
    guided->run.path = NULL;
    guided->run.findings = scratch;
    struct sched_decider decider = {.guide = state->decisions, .patient = patient};
    sched_run_start(engine, guided, &decider, NULL, true, SCHED_OUTPUT_HIDE, false);
}

static enum sched_unsafe_kind kind_of(struct sched_run_state *guided, struct blocked *b)
{
    switch (guided->world->ending) {
    case SCHED_END_FINISHED: return kind_if_finished(b, guided->run.poe);
    case SCHED_END_MISMATCH:
    case SCHED_END_DIED: return SCHED_UNSAFE_UNSAFE;
    default: /* stuck again; or nothing is known, and then the first run stands */ return SCHED_UNSAFE_REAL;
    }
}

static bool is_stuck(const struct sched_run_state *s)
{
    return s->world->ending == SCHED_END_DEADLOCK || s->world->ending == SCHED_END_LIVELOCK;
}

static void add(struct sched_run_state *s, enum sched_unsafe_kind kind)
{
    bool livelock = s->world->ending == SCHED_END_LIVELOCK;
    enum isp_rule rule = kind == SCHED_UNSAFE_UNSAFE ? ISP_RULE_UNSAFE_BUFFERING
                         : livelock                  ? ISP_RULE_LIVELOCK
                                                     : ISP_RULE_DEADLOCK;
    sched_check_deadlock(&s->run, livelock, rule);
}

/* The second run is no interleaving, and its calls are not counted. */
static struct sched_unsafe_verdict *run_buffered(struct sched_engine *engine, struct sched_run_state *state)
{
    struct sched_unsafe_verdict *v = sched_alloc(1, sizeof *v);
    uint64_t calls = engine->result->calls;
    struct blocked blocked;
    blocked_init(&blocked, state->run.poe, state->run.options->ranks);
    struct sched_findings *scratch = sched_findings_create();
    struct sched_run_state guided;
    start_guided(engine, &guided, state, scratch, true);
    if (guided.world->ending == SCHED_END_REDUNDANT) { /* it waited for what does not come here */
        sched_run_finish(engine, &guided);
        start_guided(engine, &guided, state, scratch, false);
    }
    v->interleaving = sched_strdup(state->run.interleaving);
    v->lost = sched_findings_create();
    v->kind = kind_of(&guided, &blocked);
    if (v->kind == SCHED_UNSAFE_LOST) {
        guided.run.findings = v->lost;
        sched_check_end(&guided.run);
    } else if (is_stuck(&guided)) {
        v->other = sched_deadlock_key(&guided.run);
    }
    sched_run_finish(engine, &guided);
    sched_findings_destroy(scratch);
    free(blocked.all);
    engine->result->calls = calls;
    return v;
}

static struct sched_unsafe_verdict *find(struct sched_unsafe_verdict *verdicts, const char *key)
{
    while (verdicts && strcmp(verdicts->key, key) != 0)
        verdicts = verdicts->next;
    return verdicts;
}

void sched_unsafe_run_buffered(struct sched_engine *engine, struct sched_run_state *state)
{
    char *key = sched_deadlock_key(&state->run);
    struct sched_unsafe_verdict *v = find(engine->result->verdicts, key);
    if (v) {
        free(key);
    } else {
        v = run_buffered(engine, state);
        v->key = key;
        v->next = engine->result->verdicts;
        engine->result->verdicts = v;
    }
    if (v->kind == SCHED_UNSAFE_LOST) {
        v->withheld++;
    } else {
        v->told++;
        add(state, v->kind);
    }
    engine->result->judged = v;
}

/* ---- all parts together ---- */

static int compare(const struct sched_unsafe_verdict *a, const struct sched_unsafe_verdict *b)
{
    return sched_moment_compare((struct sched_moment){false, a->interleaving},
                                (struct sched_moment){false, b->interleaving});
}

static void destroy(struct sched_unsafe_verdict *v)
{
    sched_findings_destroy(v->lost);
    free(v->key);
    free(v->interleaving);
    free(v->other);
    free(v);
}

void sched_unsafe_add(struct sched_unsafe_verdict **verdicts, struct sched_unsafe_verdict *verdict)
{
    struct sched_unsafe_verdict *known = find(*verdicts, verdict->key);
    if (!known) {
        verdict->next = *verdicts;
        *verdicts = verdict;
        return;
    }
    uint64_t told = known->told + verdict->told, withheld = known->withheld + verdict->withheld;
    if (compare(verdict, known) < 0) {
        struct sched_unsafe_verdict old = *known, *next = known->next;
        *known = *verdict;
        known->next = next;
        *verdict = old;
    }
    destroy(verdict);
    known->told = told;
    known->withheld = withheld;
}

static void show(struct sched_finding *finding, uint64_t more)
{
    if (finding->fate)
        finding->fate->shown += more;
}

/* Runs of both are of one exploration, or only the first one counts. */
static void fold(struct sched_finding *into, struct sched_finding *other)
{
    if (into->buffered == other->buffered) {
        into->count = sched_count_sum(into->count, other->count);
        show(into, other->fate ? other->fate->shown : 0);
    }
    sched_findings_drop_for(other, into);
}

static bool add_lost(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *findings)
{
    sched_findings_merge(findings, f, keys, n_keys);
    return true;
}

static void settle(struct sched_result *result, const struct sched_unsafe_verdict *v)
{
    struct sched_findings *findings = result->findings;
    struct sched_finding *finding = sched_findings_find(findings, v->key);
    if (v->kind == SCHED_UNSAFE_LOST) {
        sched_findings_each(v->lost, false, add_lost, findings);
        if (finding && finding->count <= v->told)
            sched_findings_drop(findings, finding);
        else if (finding) {
            finding->count -= v->told;
            show(finding, -v->told);
        }
        return;
    }
    result->deadlocked_interleavings =
        sched_count_sum(result->deadlocked_interleavings, sched_count_sum(v->told, v->withheld));
    if (!finding)
        return;
    finding->count = sched_count_sum(finding->count, v->withheld);
    show(finding, v->withheld);
    struct sched_finding *other = v->other ? sched_findings_find(findings, v->other) : NULL;
    struct sched_moment found = {false, v->interleaving};
    if (other && other != finding &&
        sched_moment_compare((struct sched_moment){other->buffered, other->interleaving}, found) > 0)
        fold(finding, other);
}

void sched_unsafe_settle(struct sched_result *result)
{
    size_t n = 0;
    for (const struct sched_unsafe_verdict *v = result->verdicts; v; v = v->next)
        n++;
    const struct sched_unsafe_verdict *after = NULL;
    for (; n; n--) { /* in the order of the search */
        const struct sched_unsafe_verdict *next = NULL;
        for (const struct sched_unsafe_verdict *v = result->verdicts; v; v = v->next)
            if ((!after || compare(v, after) > 0) && (!next || compare(v, next) < 0))
                next = v;
        if (next)
            settle(result, next);
        after = next ? next : after;
    }
}

void sched_unsafe_destroy(struct sched_unsafe_verdict *verdicts)
{
    while (verdicts) {
        struct sched_unsafe_verdict *next = verdicts->next;
        destroy(verdicts);
        verdicts = next;
    }
}

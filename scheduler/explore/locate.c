/* SPDX-License-Identifier: BSD-3-Clause */
/* See locate.h. */
#include "locate.h"

#include <stdlib.h>

#include <uthash.h>

#include "base/alloc.h"
#include "words/words.h"
#include "isp/functions.h"
#include "judge/judge.h"

enum { MOST = 20 }; /* findings in one exploration: each costs a run or two */

struct sched_located {
    char *key; /* of a finding that was tried */
    UT_hash_handle hh;
};

static bool is_new(struct sched_engine *engine, const char *key)
{
    struct sched_located *known;
    HASH_FIND_STR(engine->located, key, known);
    if (known || HASH_COUNT(engine->located) >= MOST)
        return false;
    known = sched_alloc(1, sizeof *known);
    known->key = sched_strdup(key);
    HASH_ADD_KEYPTR(hh, engine->located, known->key, strlen(known->key), known);
    return true;
}

/* What the rank has told of this buffer; NULL: nothing. */
static const struct sched_told *find(const struct sched_world *w, const struct isp_watch_order *order)
{
    for (size_t i = 0; i < w->n_told; i++)
        if (w->told[i].type == ISP_MSG_FINDING && w->told[i].rank == order->rank &&
            w->told[i].buffer == order->buffer)
            return &w->told[i];
    return NULL;
}

/* Makes the run again. True: the access was seen, and is in findings; *key is its key there. */
static bool look(struct sched_engine *engine, const struct sched_run_state *state,
                 struct sched_findings *findings, struct isp_watch_order *order, char **key)
{
    struct sched_run_state again = {.run = state->run};
    again.run.poe = NULL;
    again.run.trace = NULL;
    again.run.path = NULL;
    again.run.overwritten = NULL;
    again.run.n_overwritten = 0;
    again.run.findings = findings;
    again.run.watch = *order;
    struct sched_decider decider = {.forced = state->choices, .n_forced = state->made};
    sched_run_start(engine, &again, &decider, NULL, state->run.buffered, SCHED_OUTPUT_HIDE, false);
    const struct sched_told *t = find(again.world, order);
    bool seen = t && t->fn == ISP_FN_NONE;
    if (seen)
        *key = sched_judge_key(again.world->run, t);
    order->at = t && !seen ? t->buffer_at : 0;
    sched_run_finish(engine, &again);
    return seen;
}

static void locate(struct sched_engine *engine, const struct sched_run_state *state,
                   const struct sched_told *t, struct sched_finding *finding)
{
    struct isp_watch_order order = {t->rank, t->buffer, t->buffer_at};
    struct sched_findings *scratch = sched_findings_create();
    bool known = order.at, seen;
    char *key = NULL;
    uint64_t calls = engine->result->calls;
    seen = look(engine, state, scratch, &order, &key);
    if (!seen && !known && order.at)
        seen = look(engine, state, scratch, &order, &key);
    engine->result->calls = calls;
    if (seen)
        sched_findings_relocate(state->run.findings, finding, key, sched_findings_find(scratch, key));
    else
        sched_words_add(&finding->story,
                        "the access itself was not seen when the run was repeated: "
                        "another thread may have done it, or the kernel, in a system call such as "
                        "read\n");
    free(key);
    sched_findings_destroy(scratch);
}

void sched_locate(struct sched_engine *engine, const struct sched_run_state *state)
{
    const struct sched_world *w = state->world;
    for (size_t i = 0; i < w->n_told && !engine->interrupted; i++) {
        const struct sched_told *t = &w->told[i];
        if (t->type != ISP_MSG_FINDING || !t->buffer || t->fn == ISP_FN_NONE ||
            (t->rule != ISP_RULE_SEND_BUFFER_MODIFIED && t->rule != ISP_RULE_RECEIVE_BUFFER_ACCESSED &&
             t->rule != ISP_RULE_RMA_CONFLICT))
            continue;
        char *key = sched_judge_key(w->run, t);
        struct sched_finding *finding = sched_findings_find(state->run.findings, key);
        if (finding && is_new(engine, key))
            locate(engine, state, t, finding);
        free(key);
    }
}

void sched_locate_finish(struct sched_engine *engine)
{
    struct sched_located *l, *next;
    HASH_ITER (hh, engine->located, l, next) {
        HASH_DEL(engine->located, l);
        free(l->key);
        free(l);
    }
}

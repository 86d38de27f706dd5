/* SPDX-License-Identifier: BSD-3-Clause */
/* See mixed.h. */
#include "mixed.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "words/words.h"
#include "words/buffered.h"
#include "part.h"
#include "poe/mixed.h"
#include "unsafe.h"

/* A key of its own: it may be the place of a deadlock of another kind as well. */
static const char MIXED[] = "mixed ";

char *sched_mixed_key(const char *plain) { return sched_format("%s%s", MIXED, plain); }

static char *key_of(struct sched_run *run)
{
    char *plain = sched_deadlock_key(run);
    char *key = sched_mixed_key(plain);
    free(plain);
    return key;
}

/* ---- the run that confirms it ---- */

static void start(struct sched_engine *engine, struct sched_run_state *trial,
                  const struct sched_run_state *state, const struct poe_mixed_cut *cut,
                  struct sched_findings *scratch)
{
    *trial = (struct sched_run_state){.run = {.options = state->run.options,
                                              .sites = state->run.sites,
                                              .findings = scratch,
                                              .signatures = state->run.signatures,
                                              .interleaving = state->run.interleaving,
                                              .buffered = true,
                                              .mixed = true,
                                              .kept = cut->kept,
                                              .n_kept = cut->n_kept,
                                              .record = true}};
    struct sched_decider decider = {.forced = cut->choices, .n_forced = cut->n_choices};
    uint64_t calls = engine->result->calls;
    sched_run_start(engine, trial, &decider, NULL, true, SCHED_OUTPUT_HIDE, false);
    engine->result->calls = calls;
}

static bool is_stuck(const struct sched_run_state *s)
{
    return s->world->ending == SCHED_END_DEADLOCK || s->world->ending == SCHED_END_LIVELOCK;
}

/* The finding of the run that is cut, with the command that shows it. */
static void add(struct sched_run_state *state, const char *key, const struct sched_finding *shown,
                const struct poe_mixed_cut *cut)
{
    struct sched_finding finding = *shown;
    finding.interleaving = (char *)state->run.interleaving;
    finding.buffered = true;
    finding.kept = sched_kept_write(cut->kept, cut->n_kept);
    finding.cut = poe_choices_name(cut->choices, cut->n_choices);
    sched_findings_add(state->run.findings, key, &finding);
    free(finding.kept);
    free(finding.cut);
}

static bool confirm(struct sched_engine *engine, struct sched_run_state *state, const char *key,
                    const struct poe_mixed_cut *cut)
{
    struct sched_findings *scratch = sched_findings_create();
    struct sched_run_state trial;
    start(engine, &trial, state, cut, scratch);
    char *here = is_stuck(&trial) ? key_of(&trial.run) : NULL;
    bool same = here && strcmp(here, key) == 0;
    if (same) {
        bool livelock = trial.world->ending == SCHED_END_LIVELOCK;
        add(state, key, sched_check_deadlock(&trial.run, livelock, ISP_RULE_UNSAFE_BUFFERING), cut);
    }
    free(here);
    sched_run_finish(engine, &trial);
    sched_findings_destroy(scratch);
    return same;
}

/* ---- what poe finds ---- */

/* " at app.c:12 main": where the first rank that has not finished waits. */
static char *place_of(struct sched_run *run)
{
    for (int rank = 0; rank < run->options->ranks; rank++) {
        const struct poe_wait *w = poe_wait(run->poe, rank);
        if (!w->at || w->finished)
            continue;
        char *place = sched_words_place(run, w->at->call.site);
        char *text = sched_format(" at %s", place);
        free(place);
        return text;
    }
    return sched_strdup("");
}

static void take(struct sched_engine *engine, struct sched_run_state *state, struct poe_mixed *mixed,
                 struct poe_mixed_cut *cut)
{
    struct sched_run run = state->run;
    run.poe = cut->poe;
    bool finished = state->world->ending == SCHED_END_FINISHED;
    if (finished && !sched_unsafe_needs_buffer(run.poe, state->run.poe, run.options->ranks))
        return; /* a message that nobody receives: that is told */
    char *key = key_of(&run);
    const struct sched_finding *known = sched_findings_find(state->run.findings, key);
    const struct sched_finding *other = sched_findings_find(state->run.findings, key + strlen(MIXED));
    if (known) {
        struct sched_finding again = *known;
        again.interleaving = (char *)state->run.interleaving;
        again.count = 1;
        sched_findings_add(state->run.findings, key, &again);
    } else if (!other && !sched_findings_find(engine->doubted, key)) {
        poe_mixed_reduce(mixed, cut);
        run.poe = cut->poe;
        if (!confirm(engine, state, key, cut)) {
            char *place = place_of(&run);
            sched_findings_add(engine->doubted, key,
                               &(struct sched_finding){.rule = ISP_RULE_UNSAFE_BUFFERING, .count = 1});
            sched_part_incomplete(
                engine->result,
                sched_format("a deadlock%s, with some sends buffered and others not, should "
                             "exist, but a run did not show it",
                             place),
                &state->run);
            free(place);
        }
    }
    free(key);
}

/* Where the last of its decisions was made. */
static char *limit_words(const struct sched_run *run, enum poe_mixed_limit limit)
{
    static const char *const why[] = {
        [POE_MIXED_TOO_LONG] = "the run has more than 262144 calls",
        [POE_MIXED_TOO_MANY] = "there are too many sets of sends that its choices need buffered",
        [POE_MIXED_THREADS] = "several threads of a rank call MPI",
        [POE_MIXED_VISITS] = "locks and atomic accesses come in an order that the sends decide"};
    char *place = sched_words_place(run, poe_recorded_site(run->poe));
    char *text = sched_format(
        "deadlocks with some sends buffered and others not were not all sought: %s (its last choice is "
        "at %s)",
        why[limit], place);
    free(place);
    return text;
}

void sched_mixed_look(struct sched_engine *engine, struct sched_run_state *state)
{
    struct poe_mixed *mixed = poe_mixed_create(state->run.poe);
    struct poe_mixed_cut cut;
    if (!engine->doubted)
        engine->doubted = sched_findings_create();
    while (!engine->interrupted && poe_mixed_next(mixed, &cut))
        take(engine, state, mixed, &cut);
    if (poe_mixed_limit(mixed) != POE_MIXED_ALL)
        sched_part_incomplete(engine->result, limit_words(&state->run, poe_mixed_limit(mixed)), &state->run);
    poe_mixed_destroy(mixed);
}

/* ---- all parts together ---- */

struct told_twice {
    struct sched_findings *findings;
    struct sched_finding **all;
    size_t n;
};

static bool look(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *context)
{
    struct told_twice *t = context;
    bool twice = false, mixed = false;
    for (size_t i = 0; i < n_keys; i++)
        if (strncmp(keys[i], MIXED, strlen(MIXED)) == 0) {
            mixed = true;
            twice |= sched_findings_find(t->findings, keys[i] + strlen(MIXED)) != NULL;
        }
    if (mixed && twice) {
        t->all = sched_grow(t->all, t->n + 1, sizeof(struct sched_finding *));
        t->all[t->n++] = sched_findings_find(t->findings, keys[0]);
    }
    (void)f;
    return true;
}

void sched_mixed_settle(struct sched_result *result)
{
    struct told_twice twice = {.findings = result->findings};
    sched_findings_each(result->findings, false, look, &twice);
    for (size_t i = 0; i < twice.n; i++)
        sched_findings_drop(result->findings, twice.all[i]);
    free(twice.all);
}

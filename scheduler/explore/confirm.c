/* SPDX-License-Identifier: BSD-3-Clause */
/* See confirm.h. What was made sure of is kept as a table of findings, of which only the names matter. */
#include "confirm.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct sched_confirm {
    struct sched_findings *sure;
};

struct sched_confirm *sched_confirm_create(void)
{
    struct sched_confirm *confirm = sched_alloc(1, sizeof *confirm);
    confirm->sure = sched_findings_create();
    return confirm;
}

void sched_confirm_destroy(struct sched_confirm *confirm)
{
    if (confirm)
        sched_findings_destroy(confirm->sure);
    free(confirm);
}

/* ---- what a run shows ---- */

/* That it is stuck the search says later, in words of its own (judge_stuck): here under the key of a plain
 * deadlock. */
static void add_stuck(struct sched_run_state *state, struct sched_findings *to)
{
    bool livelock = state->world->ending == SCHED_END_LIVELOCK;
    struct sched_run run = state->run;
    if (state->world->ending != SCHED_END_DEADLOCK && !livelock)
        return;
    run.findings = to;
    sched_check_deadlock(&run, livelock, livelock ? ISP_RULE_LIVELOCK : ISP_RULE_DEADLOCK);
}

static bool add_error(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *to)
{
    for (size_t i = 0; i < n_keys && sched_rule_severity(f->rule) == ISP_SEVERITY_ERROR; i++)
        sched_findings_add(to, keys[i], f);
    return true;
}

struct lacking {
    const struct sched_findings *in;
    char *what;
};

static bool is_there(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *context)
{
    struct lacking *l = context;
    for (size_t i = 0; i < n_keys; i++)
        if (sched_findings_find(l->in, keys[i]))
            return true;
    if (sched_rule_severity(f->rule) != ISP_SEVERITY_ERROR)
        return true;
    l->what = sched_format("%s (%s)", sched_rule_id(f->rule), f->message);
    return false;
}

/* The first error of these that the others lack, or NULL. */
static char *lacks(const struct sched_findings *of, const struct sched_findings *in)
{
    struct lacking l = {.in = in};
    sched_findings_each(of, false, is_there, &l);
    return l.what;
}

char *sched_confirm_missed(const struct sched_findings *findings, const struct sched_findings *again)
{
    return lacks(again, findings);
}

/* ---- making sure ---- */

/* It came to MPI, and there to its end, or to none that these choices can have. */
static bool says_something(const struct sched_engine *engine, const struct sched_world *w)
{
    bool cut = w->ending == SCHED_END_INTERRUPTED || w->ending == SCHED_END_KILLED ||
               (w->ending == SCHED_END_FAILED && w->tool_failed);
    return w->n_connected && !engine->interrupted && !cut;
}

/* What these errors lack in a launch of the same choices, or NULL. */
static char *compare_launch(struct sched_engine *engine, struct sched_run_state *state,
                            const struct sched_findings *errors)
{
    struct sched_findings *shown = sched_findings_create();
    struct sched_run_state again = {.run = {.options = state->run.options,
                                            .sites = state->run.sites,
                                            .findings = shown,
                                            .signatures = state->run.signatures,
                                            .interleaving = state->run.interleaving,
                                            .buffered = state->run.buffered}};
    struct sched_decider decider = {.forced = state->choices, .n_forced = state->made, .quiet = true};
    uint64_t calls = engine->result->calls;
    sched_run_start(engine, &again, &decider, NULL, state->run.buffered, SCHED_OUTPUT_HIDE, false);
    engine->result->calls = calls;
    add_stuck(&again, shown);
    char *what = says_something(engine, again.world) ? lacks(errors, shown) : NULL;
    sched_run_finish(engine, &again);
    sched_findings_destroy(shown);
    return what;
}

char *sched_confirm_run(struct sched_confirm *confirm, struct sched_engine *engine,
                        struct sched_run_state *state)
{
    struct sched_findings *errors = sched_findings_create();
    sched_findings_each_new(state->run.findings, add_error, errors);
    add_stuck(state, errors);
    char *what = lacks(errors, confirm->sure);
    if (what && state->continued) {
        free(what);
        what = compare_launch(engine, state, errors);
    } else {
        free(what);
        what = NULL;
    }
    sched_findings_each(errors, false, add_error, confirm->sure);
    sched_findings_destroy(errors);
    return what;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See predicted.h. */
#include "predicted.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "aside.h"
#include "base/say.h"
#include "bounds.h"
#include "judge/judge.h"
#include "mixed.h"
#include "settle.h"
#include "unsafe.h"

enum { RUNS_MOST = 20, VAIN_MOST = 8, DEPTH_MOST = 4 };
static const double LONG = 1000; /* interleavings */

/* The calls that predictions are made from: those of the first run, and above them those of runs that went
 * elsewhere than predicted. */
struct rounds {
    struct sched_explore *x;
    struct sched_recorded_calls *calls[DEPTH_MOST];
    size_t depth;
    unsigned runs, vain;    /* vain: that showed no deadlock */
    char *names[RUNS_MOST]; /* of the runs that were made */
};

bool sched_predicted_is_wanted(const struct sched_options *o)
{
    bool bounded =
        o->max_time_s > 0 || o->max_interleavings || o->stop_at_first || o->mix >= 0 || o->sample || o->loops;
    return strcmp(o->predict, "auto") == 0 && bounded && !o->replay;
}

/* ---- a run ---- */

static bool keep(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *context)
{
    if (f->rule != ISP_RULE_UNSUPPORTED && sched_rule_severity(f->rule) != ISP_SEVERITY_NOTE)
        sched_findings_merge(context, f, keys, n_keys);
    return true;
}

/* What the part has found is what was predicted, or was met on the way there. */
static void keep_findings(struct sched_result *result, struct sched_result *part)
{
    if (!result->predicted)
        result->predicted = sched_findings_create();
    sched_unsafe_settle(part);
    sched_mixed_settle(part);
    sched_findings_each(part->findings, false, keep, result->predicted);
    result->buffering_matters |= part->buffering_matters;
}

/* Makes the run, and judges it into x->engine.result. Its calls are recorded. */
static void make_run(struct sched_explore *x, struct sched_run_state *s, const struct sched_decider *decider,
                     bool buffered)
{
    static const char unnamed[] = "predicted"; /* until its decisions are known */
    struct sched_result *part = x->engine.result;
    *s = (struct sched_run_state){.run = {.options = x->engine.options,
                                          .sites = part->sites,
                                          .findings = part->findings,
                                          .signatures = x->engine.signatures,
                                          .path = x->path,
                                          .interleaving = unnamed,
                                          .buffered = buffered,
                                          .record = true}};
    bool take_notes = !buffered && x->engine.options->buffering == ISP_BUFFERING_AUTO;
    sched_findings_begin_run(part->findings);
    sched_run_start(&x->engine, s, decider, NULL, buffered, SCHED_OUTPUT_HIDE, take_notes);
    char *name = poe_choices_name(s->choices, s->made);
    sched_findings_rename(part->findings, unnamed, name, buffered);
    s->run.interleaving = name;
    sched_settle_run(x, s);
    sched_findings_end_run(part->findings,
                           &(struct sched_run_end){.name = name, .buffered = buffered, .path = s->run.path});
}

static void finish_run(struct sched_explore *x, struct sched_run_state *s)
{
    char *name = (char *)s->run.interleaving;
    sched_run_finish(&x->engine, s);
    free(name);
}

void sched_predicted_take_calls(struct sched_recorded_calls *calls[2], const struct sched_options *o,
                                const struct sched_run_state *state, bool told)
{
    bool is_run[2] = {!state->run.buffered, state->run.buffered || o->buffering == ISP_BUFFERING_AUTO};
    for (int buffered = 0; buffered < 2; buffered++) {
        sched_recorded_calls_destroy(calls[buffered]);
        bool stuck = told && buffered == state->run.buffered && state->world->ending == SCHED_END_DEADLOCK;
        calls[buffered] =
            is_run[buffered] ? sched_recorded_calls_create(state->run.poe, o->ranks, buffered, stuck) : NULL;
    }
}

/* The first run again, with its decisions. What it shows is not told. */
static void record_first(struct sched_explore *x)
{
    struct sched_result part;
    struct sched_run_state s;
    bool buffered = x->engine.options->buffering == ISP_BUFFERING_INFINITE;
    struct sched_aside aside = sched_aside_begin(x, &part);
    struct sched_decider decider = {.forced = x->choices, .n_forced = x->made, .quiet = true};
    make_run(x, &s, &decider, buffered);
    if (sched_ending_is_own(s.world->ending))
        sched_predicted_take_calls(x->calls, x->engine.options, &s, false);
    finish_run(x, &s);
    sched_aside_end(x, &aside);
    sched_part_finish(&part);
}

/* ---- rounds ---- */

static bool is_stuck(enum sched_ending ending)
{
    return ending == SCHED_END_DEADLOCK || ending == SCHED_END_LIVELOCK;
}

/* Whether a run of this name was made before. Takes it. */
static bool was_made(struct rounds *r, char *name)
{
    bool made = false;
    for (unsigned i = 0; i < r->runs; i++)
        made |= strcmp(r->names[i], name) == 0;
    r->names[r->runs++] = name;
    return made;
}

/* A run along the prediction. If it does not get there, the program has made other calls: then these are
 * looked at next. False: it waited for what does not come. */
static bool follow(struct rounds *r, bool buffered, bool patient)
{
    struct sched_explore *x = r->x;
    struct sched_result part;
    struct sched_run_state s;
    struct sched_aside aside = sched_aside_begin(x, &part);
    struct sched_decider decider = {.calls = r->calls[r->depth - 1]};
    sched_recorded_calls_begin(decider.calls, patient);
    make_run(x, &s, &decider, buffered);
    enum sched_ending ending = s.world->ending;
    bool is_new = !was_made(r, sched_strdup(s.run.interleaving)), vain = !is_new || !is_stuck(ending);
    bool whole = ending != SCHED_END_REDUNDANT && sched_ending_is_own(ending);
    r->vain += vain;
    if (is_new && vain && whole && r->depth < DEPTH_MOST)
        r->calls[r->depth++] =
            sched_recorded_calls_create(s.run.poe, x->engine.options->ranks, buffered, false);
    if (x->engine.options->verbose)
        sched_say("predicted: interleaving %s%s: %s", s.run.interleaving,
                  buffered ? " with buffered sends" : "", sched_ending_name(ending));
    finish_run(x, &s);
    sched_aside_end(x, &aside);
    if (whole)
        keep_findings(x->engine.result, &part);
    sched_part_finish(&part);
    return ending != SCHED_END_REDUNDANT;
}

static bool may_go_on(const struct rounds *r)
{
    const struct sched_explore *x = r->x;
    const struct sched_options *o = x->engine.options;
    return r->depth && r->runs < RUNS_MOST && r->vain < VAIN_MOST && !x->engine.interrupted &&
           sched_bounds_in_time(o, x->started_s) &&
           sched_bounds_reached(x->engine.result, 0, x->started_s, 0) != SCHED_STOP_FIRST;
}

/* Predicts and runs until nothing is left. True: there was nothing from the beginning. */
static bool make_rounds(struct rounds *r, bool buffered)
{
    bool none = false;
    for (unsigned n = 0; may_go_on(r); n++) {
        struct predict *predict = sched_recorded_calls_predict(r->calls[r->depth - 1]);
        enum predict_answer answer = predict_next(predict);
        none |= n == 0 && answer == PREDICT_NONE;
        if (answer == PREDICT_UNKNOWN && r->x->engine.options->verbose)
            sched_say("no prediction: %s", predict_why(predict));
        if (answer != PREDICT_DEADLOCK)
            sched_recorded_calls_destroy(r->calls[--r->depth]);
        else if (sched_recorded_calls_is_told(r->calls[r->depth - 1]))
            continue;
        else if (!follow(r, buffered, true) && may_go_on(r))
            follow(r, buffered, false);
    }
    while (r->depth)
        sched_recorded_calls_destroy(r->calls[--r->depth]);
    for (unsigned i = 0; i < r->runs; i++)
        free(r->names[i]);
    return none;
}

/* A search that nothing bounds may go on for long, and reports when it is over. */
static void tell_early(const struct sched_explore *x)
{
    struct sched_finding *const *all;
    const struct sched_options *o = x->engine.options;
    const struct sched_findings *found = x->engine.result->predicted;
    if (!o->quiet && found && sched_findings_all(found, &all) && !sched_predicted_is_wanted(o))
        sched_say("note: a predicted interleaving has shown an error (%s); the search goes on, and an "
                  "interrupt ends it with the report",
                  sched_rule_id(all[0]->rule));
}

void sched_predicted_look(struct sched_explore *x)
{
    bool wanted = sched_predicted_is_wanted(x->engine.options), none = true, asked = false;
    if (!wanted && strcmp(x->engine.options->predict, "auto") == 0 && poe_search_estimate(x->search) > LONG) {
        wanted = true;
        record_first(x);
    }
    for (int buffered = 0; buffered < 2; buffered++) {
        struct rounds r = {.x = x};
        if (!x->calls[buffered])
            continue;
        x->engine.result->prediction.vary |= sched_recorded_calls_vary(x->calls[buffered]);
        r.calls[r.depth++] = x->calls[buffered];
        x->calls[buffered] = NULL;
        none &= make_rounds(&r, buffered);
        asked = true;
    }
    x->engine.result->prediction.none = asked && none;
    tell_early(x);
}

void sched_predicted_note_run(struct sched_result *result, enum sched_ending ending,
                              const struct sched_replay_check *check)
{
    if (ending == SCHED_END_FINISHED)
        sched_prediction_take(&result->prediction, sched_replay_check_digest(check));
    else if (ending != SCHED_END_REDUNDANT)
        result->prediction.vary = true;
}

/* ---- the end ---- */

static bool add_other(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *context)
{
    struct sched_result *result = context;
    for (size_t i = 0; i < n_keys; i++)
        if (sched_findings_find(result->findings, keys[i]))
            return true;
    struct sched_finding other = *f;
    other.predicted = true;
    sched_findings_merge(result->findings, &other, keys, n_keys);
    return true;
}

void sched_predicted_settle(struct sched_result *result)
{
    if (!result->predicted)
        return;
    sched_findings_meet(result->findings, result->predicted); /* for their critical choices */
    sched_findings_each(result->predicted, false, add_other, result);
}

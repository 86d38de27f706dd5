/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See merge.h. Each choice point of the present run that is open has a *tally*: what the interleavings below
 * it have come to so far. Each run is added to all of them; one that ended at a state that is known, with
 * what that state's tally says. When nothing is left to explore below a choice point its tally is kept with
 * its state.
 *
 * To ask ranks for their states costs time. Where that does not pay it is left: after some hundred states,
 * if none of them, or next to none, was known; and where memory becomes short.
 */
#include "merge.h"

#include <malloc.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/mix.h"
#include "base/reserve.h"
#include "base/now.h"
#include "base/say.h"
#include "findings/findings.h"
#include "poe/poe.h"
#include "run/merges.h"
#include "trace/trace.h"
#include "unmerged.h"
#include "unsafe.h"
#include "world/files.h"
#include "world/states.h"

enum {
    TRIED = 128,   /* states, before it is asked whether that pays */
    PAYS = 64,     /* it does, if one of so many was known ... */
    COSTS_NOT = 10 /* ... or if it costs less than one part in so many of the time */
};

/* For the states and what is kept with them. */
static const size_t MOST_BYTES = (size_t)512 << 20;
/* When less can still be had, they are given up; that is looked at when they take so much more. */
static const size_t SPARE_BYTES = (size_t)64 << 20, LOOKS_BYTES = (size_t)1 << 20;

/* The choices of a run that finished. */
struct course {
    unsigned references, n;
    unsigned choices[];
};

/* From some choice point on; course NULL: there is none. */
struct rest {
    struct course *course;
    unsigned from;
};

struct shown {
    struct sched_finding *finding;
    uint64_t interleavings;
    struct rest without; /* one that finishes and does not show it */
};

struct judged {
    struct sched_unsafe_verdict *verdict;
    uint64_t told, withheld;
};

struct tally {
    struct sched_trace_place place; /* where it is in the trace, if there is one */
    size_t logged;                  /* findings that were logged before */
    uint64_t interleavings, deadlocked;
    struct rest finished; /* the first one */
    struct shown *shown;
    struct judged *judged;
    uint32_t n_shown, n_judged;
};

struct sched_merge {
    const struct sched_options *options;
    struct sched_result *result;
    struct poe_states *states; /* NULL: it was left, since it does not pay */
    struct tally **open;       /* by choice point */
    unsigned n_open;
    const struct tally *known; /* of the state at which the present run has ended; or NULL */
    uint64_t asked, met;
    double begun_s, asking_s;        /* when; and for how long ranks were asked */
    struct sched_unmerged *unmerged; /* NULL: it is not to be told */
    size_t looked_at;                /* bytes of states at which memory is looked at next */
    const char *told;                /* why a state was not known, as it was said */
    struct sched_below *below;
    char **names; /* of what `end` was given */
    size_t n_names;
};

/* ---- courses ---- */

static struct course *course_create(const struct sched_run_state *run, const struct rest *behind)
{
    unsigned more = behind && behind->course ? behind->course->n - behind->from : 0;
    struct course *c = sched_alloc(1, sizeof *c + (run->made + more) * sizeof *c->choices);
    *c = (struct course){.references = 1, .n = run->made + more};
    for (unsigned i = 0; i < run->made; i++)
        c->choices[i] = run->choices[i];
    for (unsigned i = 0; i < more; i++)
        c->choices[run->made + i] = behind->course->choices[behind->from + i];
    return c;
}

static void course_drop(struct course *c)
{
    if (c && --c->references == 0)
        free(c);
}

static struct rest rest_of(struct course *c, unsigned from)
{
    c->references++;
    return (struct rest){c, from};
}

/* ---- tallies ---- */

static void tally_destroy(struct tally *t)
{
    if (!t)
        return;
    course_drop(t->finished.course);
    for (uint32_t i = 0; i < t->n_shown; i++)
        course_drop(t->shown[i].without.course);
    free(t->place.interleaving);
    free(t->shown);
    free(t->judged);
    free(t);
}

static struct shown *find_shown(const struct tally *t, const struct sched_finding *f)
{
    for (uint32_t i = 0; i < t->n_shown; i++)
        if (t->shown[i].finding == f)
            return &t->shown[i];
    return NULL;
}

static void add_shown(struct tally *t, struct sched_finding *f, uint64_t interleavings)
{
    struct shown *s = find_shown(t, f);
    if (!s) {
        t->shown = sched_grow(t->shown, t->n_shown + 1, sizeof *t->shown);
        s = &t->shown[t->n_shown++];
        /* those before did not show it */
        *s = (struct shown){.finding = f,
                            .without = t->finished.course ? rest_of(t->finished.course, t->finished.from)
                                                          : (struct rest){0}};
    }
    s->interleavings = sched_count_sum(s->interleavings, interleavings);
}

static void add_judged(struct tally *t, struct sched_unsafe_verdict *v, uint64_t told, uint64_t withheld)
{
    uint32_t i = 0;
    while (i < t->n_judged && t->judged[i].verdict != v)
        i++;
    if (i == t->n_judged) {
        t->judged = sched_grow(t->judged, i + 1, sizeof *t->judged);
        t->judged[t->n_judged++] = (struct judged){.verdict = v};
    }
    t->judged[i].told = sched_count_sum(t->judged[i].told, told);
    t->judged[i].withheld = sched_count_sum(t->judged[i].withheld, withheld);
}

/* ---- the states ---- */

static void *close_tally(void *context, void *open, bool keep)
{
    struct sched_merge *m = context;
    m->n_open--;
    if (keep)
        return open;
    tally_destroy(open);
    return NULL;
}

static void drop_tally(void *kept) { tally_destroy(kept); }

/* Courses are shared by tallies; about one belongs to each. */
static size_t bytes_of_tally(const void *kept)
{
    const struct tally *t = kept;
    size_t bytes = sizeof *t + t->n_shown * sizeof *t->shown + t->n_judged * sizeof *t->judged;
    if (t->finished.course)
        bytes += sizeof *t->finished.course + t->finished.course->n * sizeof *t->finished.course->choices;
    return bytes;
}

struct sched_merge *sched_merge_create(const struct sched_options *options, struct sched_result *result)
{
    struct sched_merge *m = sched_alloc(1, sizeof *m);
    *m = (struct sched_merge){.options = options, .result = result, .begun_s = sched_now_s()};
    struct poe_states_owner owner = {close_tally, drop_tally, bytes_of_tally, m};
    m->states = poe_states_create(options->ranks, MOST_BYTES, &owner);
    m->unmerged = sched_run_explains(options) ? sched_unmerged_create(&result->apart) : NULL;
    return m;
}

static void forget_names(struct sched_merge *m)
{
    for (size_t i = 0; i < m->n_names; i++)
        free(m->names[i]);
    m->n_names = 0;
}

static void leave(struct sched_merge *m)
{
    poe_states_destroy(m->states);
    m->states = NULL;
}

uint64_t sched_merge_states(const struct sched_merge *m)
{
    return m && m->states ? poe_states_count(m->states) : 0;
}

void sched_merge_destroy(struct sched_merge *m)
{
    if (!m)
        return;
    leave(m);
    sched_unmerged_destroy(m->unmerged);
    forget_names(m);
    free(m->names);
    free(m->open);
    free(m->below);
    free(m);
}

static void tell_unknown(struct sched_merge *m, const char *why)
{
    if (!m->options->verbose || m->told)
        return;
    m->told = why;
    sched_say("states are not compared: %s", why);
}

static bool ask_ranks(struct sched_merge *m, struct sched_run_state *run, struct poe_key *key)
{
    const char *why;
    double begun_s = sched_now_s();
    bool known = sched_world_states(run->world, key, &why);
    m->asking_s += sched_now_s() - begun_s;
    if (!known)
        tell_unknown(m, why);
    return known;
}

static bool find_key(struct sched_merge *m, struct sched_run_state *run, struct poe_key *key)
{
    if (!poe_state_key(run->run.poe, key)) {
        if (poe_states_are_left(run->run.poe))
            tell_unknown(m, "it has made calls (with windows, threads, locks, buffered, partitioned or "
                            "cancelled messages) after which they are not");
        return false;
    }
    m->asked++;
    if (!ask_ranks(m, run, key))
        return false;
    /* what a process is that was launched anew may differ in what states do not have */
    key->low = sched_mix(key->low, run->world->launched);
    key->high = sched_mix(key->high, run->world->launched);
    return true;
}

/* Memory is for findings first. */
static void leave_for_memory(struct sched_merge *m)
{
    if (poe_states_bytes(m->states) < m->looked_at)
        return;
    m->looked_at = poe_states_bytes(m->states) + LOOKS_BYTES;
    if (sched_reserve_could_have(SPARE_BYTES))
        return;
    leave(m);
    malloc_trim(0);
    if (m->options->verbose)
        sched_say("states are not compared any more: memory is short (see ulimit)");
}

static bool pays(const struct sched_merge *m)
{
    return m->asked < TRIED || m->met * PAYS >= m->asked ||
           m->asking_s * COSTS_NOT <= sched_now_s() - m->begun_s;
}

static void leave_as_useless(struct sched_merge *m)
{
    if (m->options->verbose)
        sched_say(
            "states are not compared any more: %llu of %llu were known, and it takes %.0f %% of the time",
            (unsigned long long)m->met, (unsigned long long)m->asked,
            100 * m->asking_s / (sched_now_s() - m->begun_s));
    leave(m);
}

bool sched_merge_reach(struct sched_merge *m, struct sched_run_state *run, struct poe_search *search)
{
    struct poe *poe = run->run.poe;
    unsigned number = poe_choice(poe)->number;
    struct poe_key key;
    void *kept;
    if (!m->states) {
        sched_world_leave_states(run->world);
        return false;
    }
    poe_states_note(m->states, poe);
    if (sched_files_are_read_back(run->world->files))
        poe_states_spoil(m->states, m->n_open);
    if (number < poe_states_depth(m->states))
        return false;
    bool whole = number >= poe_search_shared(search);
    bool known = whole && find_key(m, run, &key);
    if (run->world->ending != SCHED_END_NONE)
        return false;
    struct tally *t = sched_alloc(1, sizeof *t);
    *t = (struct tally){.logged = sched_findings_logged(run->run.findings)};
    if (run->run.trace)
        t->place =
            (struct sched_trace_place){sched_trace_node(run->run.trace), sched_strdup(run->run.interleaving)};
    if (poe_states_reach(m->states, poe, known ? &key : NULL, whole, t, &kept)) {
        tally_destroy(t);
        m->known = kept;
        m->met++;
        return true;
    }
    if (known && m->unmerged && sched_world_states_can_be_compared(run->world))
        sched_unmerged_look(m->unmerged, run->world);
    m->open = sched_grow(m->open, m->n_open + 1, sizeof(struct tally *));
    m->open[m->n_open++] = t;
    if (!pays(m))
        leave_as_useless(m);
    return false;
}

bool sched_merge_is_over(const struct sched_merge *m) { return m && m->known; }

void sched_merge_tell_trace(const struct sched_merge *m, struct sched_trace *trace)
{
    if (trace && sched_merge_is_over(m))
        sched_trace_join(trace, &m->known->place, m->known->interleavings);
}

/* ---- the end of a run ---- */

/* What the present run adds to a tally. */
struct addition {
    struct tally *to;
    uint64_t interleavings;
};

static void add_own(struct sched_finding *f, void *context)
{
    const struct addition *a = context;
    add_shown(a->to, f, a->interleavings);
}

static void note_own(struct sched_finding *f, void *context)
{
    struct tally *own = context;
    add_shown(own, f, 1);
}

/* Those of the known state that the run has not shown itself since then. */
static void add_known(struct tally *to, const struct tally *known, const struct tally *own)
{
    for (uint32_t i = 0; i < known->n_shown; i++)
        if (!find_shown(own, known->shown[i].finding))
            add_shown(to, known->shown[i].finding, known->shown[i].interleavings);
}

/* One that finishes, from the tally's choice point on, and what it shows. */
static void add_finished(struct tally *to, unsigned number, struct course *c, const struct tally *own)
{
    if (!to->finished.course)
        to->finished = rest_of(c, number);
    for (uint32_t i = 0; i < to->n_shown; i++)
        if (!to->shown[i].without.course && !find_shown(own, to->shown[i].finding))
            to->shown[i].without = rest_of(c, number);
}

/* The run goes on from the known state without this finding. */
static void add_without(struct tally *to, unsigned number, const struct sched_run_state *run,
                        const struct tally *known, const struct tally *own)
{
    for (uint32_t i = 0; i < known->n_shown; i++) {
        const struct shown *k = &known->shown[i];
        struct shown *s = find_shown(to, k->finding);
        if (!s || s->without.course || !k->without.course || find_shown(own, k->finding))
            continue;
        struct course *c = course_create(run, &k->without);
        s->without = rest_of(c, number);
        course_drop(c);
    }
}

static void add_to(struct tally *t, unsigned number, struct sched_merge *m, const struct sched_run_state *run,
                   uint64_t interleavings, bool deadlocked, struct course *finished)
{
    struct tally own = {0}; /* findings of the run itself, since then */
    const struct tally *known = m->known;
    struct sched_unsafe_verdict *v = m->result->judged;
    sched_findings_each_since(run->run.findings, t->logged, note_own, &own);
    /* one that shows it first comes before those that go without it */
    struct addition a = {t, interleavings};
    sched_findings_each_since(run->run.findings, t->logged, add_own, &a);
    if (known)
        add_known(t, known, &own);
    t->interleavings = sched_count_sum(t->interleavings, interleavings);
    t->deadlocked = sched_count_sum(t->deadlocked, known ? known->deadlocked : deadlocked);
    if (!known && v)
        add_judged(t, v, v->kind != SCHED_UNSAFE_LOST, v->kind == SCHED_UNSAFE_LOST);
    for (uint32_t i = 0; known && i < known->n_judged; i++)
        add_judged(t, known->judged[i].verdict, known->judged[i].told, known->judged[i].withheld);
    if (known)
        add_without(t, number, run, known, &own);
    if (finished) {
        /* what that one shows below the known state is not known run by run */
        for (uint32_t i = 0; known && i < known->n_shown; i++)
            add_shown(&own, known->shown[i].finding, 1);
        add_finished(t, number, finished, &own);
    }
    for (uint32_t i = 0; i < own.n_shown; i++)
        course_drop(own.shown[i].without.course);
    free(own.shown);
}

static const char *name_of(struct sched_merge *m, const struct sched_run_state *run, const struct rest *rest)
{
    if (!rest->course)
        return NULL;
    struct course *c = course_create(run, rest);
    m->names = sched_grow(m->names, m->n_names + 1, sizeof(char *));
    m->names[m->n_names++] = poe_choices_name(c->choices, c->n);
    course_drop(c);
    return m->names[m->n_names - 1];
}

/* The result has counted nothing of the run so far. */
static void count_known(struct sched_merge *m, const struct sched_run_state *run, struct sched_run_end *end)
{
    struct sched_result *r = m->result;
    const struct tally *known = m->known;
    bool main = !run->run.buffered || m->options->buffering == ISP_BUFFERING_INFINITE;
    uint64_t *all = main ? &r->interleavings : &r->buffered_interleavings;
    *all = sched_count_sum(*all, known->interleavings);
    r->runs++;
    r->merged_runs++;
    if (main)
        r->deadlocked_interleavings = sched_count_sum(r->deadlocked_interleavings, known->deadlocked);
    for (uint32_t i = 0; i < known->n_judged; i++) {
        const struct judged *j = &known->judged[i];
        j->verdict->told = sched_count_sum(j->verdict->told, j->told);
        j->verdict->withheld = sched_count_sum(j->verdict->withheld, j->withheld);
    }
    const char *finished = name_of(m, run, &known->finished);
    end->counts = known->interleavings > 0;
    end->stands_for = known->interleavings;
    end->finished = finished != NULL;
    end->name = finished ? finished : end->name;
    m->below = sched_grow(m->below, known->n_shown + 1, sizeof *m->below);
    for (uint32_t i = 0; i < known->n_shown; i++)
        m->below[i] = (struct sched_below){known->shown[i].finding, known->shown[i].interleavings,
                                           name_of(m, run, &known->shown[i].without)};
    end->below = m->below;
    end->n_below = known->n_shown;
}

void sched_merge_end(struct sched_merge *m, const struct sched_run_state *run, struct poe_search *search,
                     bool cut_short, bool deadlocked, struct sched_run_end *end)
{
    const struct tally *known = m->known;
    enum sched_ending ending = run->world->ending;
    forget_names(m);
    if (!m->states)
        return;
    poe_states_note(m->states, run->run.poe);
    /* a hang may be one of this machine's, and says nothing of other runs */
    if (cut_short || ending == SCHED_END_HANG || sched_files_are_read_back(run->world->files))
        poe_states_spoil(m->states, m->n_open);
    if (cut_short)
        return;
    if (known) {
        poe_search_stands_for(search, (double)known->interleavings);
        count_known(m, run, end);
    }
    uint64_t interleavings = known ? known->interleavings : end->counts;
    struct course *finished = end->finished ? course_create(run, known ? &known->finished : NULL) : NULL;
    for (unsigned i = 0; i < m->n_open && interleavings; i++)
        add_to(m->open[i], i, m, run, interleavings, deadlocked, finished);
    course_drop(finished);
}

void sched_merge_next(struct sched_merge *m, const struct poe_search *search, bool more)
{
    m->known = NULL;
    if (!m->states)
        return;
    poe_states_spoil(m->states, poe_search_shared(search));
    poe_states_close(m->states, more ? poe_search_prefix(search) : 0);
    leave_for_memory(m);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * As JSON. Sites have names there that do not depend on the process, also in the keys of findings; strings
 * that are not UTF-8, which JSON cannot hold, are lists of bytes.
 */
#include "part.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "findings/keys.h"
#include "isp/functions.h"
#include "mixed.h"
#include "predicted.h"
#include "sites/variables.h"
#include "unsafe.h"

void sched_part_init(struct sched_result *part, const struct sched_options *options,
                     struct sched_sites *sites)
{
    *part = (struct sched_result){.options = options, .sites = sites, .findings = sched_findings_create()};
}

void sched_part_finish(struct sched_result *part)
{
    sched_findings_destroy(part->findings);
    sched_findings_destroy(part->predicted);
    sched_barriers_finish(&part->barriers);
    sched_unsafe_destroy(part->verdicts);
    sched_leftovers_destroy(part->leftovers);
    sched_aparts_finish(&part->apart);
    sched_orders_finish(&part->orders);
    sched_orders_finish(&part->buffered_orders);
    free(part->incomplete_because);
    free((char *)part->incomplete_in.interleaving);
    free(part->unshown_death);
}

static void set_incomplete(struct sched_result *part, char *why, struct sched_moment in)
{
    if (!why || (part->incomplete_because && sched_moment_compare(part->incomplete_in, in) <= 0)) {
        free(why);
        free((char *)in.interleaving);
        return;
    }
    free(part->incomplete_because);
    free((char *)part->incomplete_in.interleaving);
    part->incomplete_because = why;
    part->incomplete_in = in;
}

void sched_part_incomplete(struct sched_result *part, char *why, const struct sched_run *in)
{
    set_incomplete(part, why,
                   in ? (struct sched_moment){in->buffered, sched_strdup(in->interleaving)}
                      : (struct sched_moment){0});
}

void sched_part_unshown_death(struct sched_result *part, char *who)
{
    bool first = who && (!part->unshown_death || strcmp(who, part->unshown_death) < 0);
    free(first ? part->unshown_death : who);
    part->unshown_death = first ? who : part->unshown_death;
}

/* ---- numbers ---- */

static const struct {
    const char *name;
    size_t at;
} numbers[] = {
/* clang-format off */
#define NUMBER(field) {#field, offsetof(struct sched_result, field)}
    NUMBER(interleavings), NUMBER(deadlocked_interleavings), NUMBER(redundant_runs),
    NUMBER(runs), NUMBER(merged_runs), NUMBER(states),
    NUMBER(buffered_interleavings), NUMBER(choice_points), NUMBER(calls), NUMBER(left_out.mixing),
    NUMBER(left_out.loops), NUMBER(jobs), NUMBER(buffered_jobs),
/* clang-format on */
#undef NUMBER
};

static uint64_t *number(const struct sched_result *part, size_t i)
{
    return (uint64_t *)((char *)part + numbers[i].at);
}

/* ---- what any run may have shown ---- */

static const struct {
    const char *name;
    size_t at;
} flags[] = {
/* clang-format off */
#define FLAG(field) {#field, offsetof(struct sched_result, field)}
#define ASSUMPTION(name, words) FLAG(assumes.name),
    /* clang-format on */
    FLAG(unsupported),
    FLAG(buffering_matters),
    FLAG(buffered_too),
    FLAG(barriers.unclear),
    FLAG(early),
    FLAG(differs),
    SCHED_ASSUMPTION_LIST(ASSUMPTION)
#undef ASSUMPTION
#undef FLAG
};

static bool *flag(const struct sched_result *part, size_t i) { return (bool *)((char *)part + flags[i].at); }

/* ---- strings ---- */

static json_t *text(const char *raw)
{
    if (!raw)
        return json_null();
    json_t *string = json_string(raw);
    if (string)
        return string;
    json_t *bytes = json_array();
    for (; *raw; raw++)
        json_array_append_new(bytes, json_integer((unsigned char)*raw));
    return bytes;
}

/* NULL: it is none. Caller frees. */
static char *take_text(const json_t *json)
{
    if (json_is_string(json))
        return sched_strdup(json_string_value(json));
    if (!json_is_array(json))
        return NULL;
    char *raw = sched_alloc(json_array_size(json) + 1, 1);
    for (size_t i = 0; i < json_array_size(json); i++)
        raw[i] = (char)json_integer_value(json_array_get(json, i));
    return raw;
}

static json_t *take_and_write(char *owned)
{
    json_t *json = text(owned);
    free(owned);
    return json;
}

static json_t *key(const struct sched_sites *sites, const char *key)
{
    return take_and_write(sched_findings_key_named(sites, key));
}

static char *take_key(struct sched_sites *sites, const json_t *json)
{
    char *named = take_text(json), *numbered = named ? sched_findings_key_numbered(sites, named) : NULL;
    free(named);
    return numbered;
}

static json_t *site(const struct sched_sites *sites, uint32_t number)
{
    return take_and_write(sched_sites_name(sites, number));
}

static uint32_t take_site(struct sched_sites *sites, const json_t *json)
{
    char *name = take_text(json);
    uint32_t number = name ? sched_sites_named(sites, name) : 0;
    free(name);
    return number;
}

/* ---- findings ---- */

static json_t *write_fate(const struct sched_fate *fate, const struct sched_sites *sites)
{
    if (!fate)
        return json_null();
    return json_pack("{s:o, s:o, s:I, s:o}", "before", text(fate->before), "after", text(fate->after),
                     "shown", (json_int_t)fate->shown, "path",
                     fate->path ? sched_path_write(fate->path, site, sites) : json_null());
}

static bool read_fate(struct sched_finding *f, struct sched_sites *sites, const json_t *json)
{
    json_t *before, *after, *path;
    json_int_t shown;
    if (json_is_null(json))
        return true;
    if (json_unpack((json_t *)json, "{s:o, s:o, s:I, s:o}", "before", &before, "after", &after, "shown",
                    &shown, "path", &path) != 0)
        return false;
    f->fate = sched_fate_create();
    *f->fate = (struct sched_fate){take_text(before), take_text(after), (uint64_t)shown,
                                   json_is_null(path) ? NULL : sched_path_read(path, take_site, sites)};
    return true;
}

struct writing {
    const struct sched_sites *sites;
    json_t *findings;
};

static bool write_finding(const struct sched_finding *f, const char *const *keys, size_t n_keys,
                          void *context)
{
    struct writing *w = context;
    json_t *names = json_array(), *ranks = json_array(), *sites = json_array();
    for (size_t i = 0; i < n_keys; i++)
        json_array_append_new(names, key(w->sites, keys[i]));
    for (size_t i = 0; i < f->n_ranks; i++)
        json_array_append_new(ranks, json_integer(f->ranks[i]));
    for (size_t i = 0; i < f->n_sites; i++)
        json_array_append_new(sites, json_pack("[i, i, o]", f->sites[i].rank, (int)f->sites[i].fn,
                                               site(w->sites, f->sites[i].site)));
    json_array_append_new(w->findings,
                          json_pack("{s:o, s:i, s:o, s:o, s:o, s:b, s:o, s:o, s:I, s:o, s:o, s:o, s:o}",
                                    "keys", names, "rule", (int)f->rule, "message", text(f->message), "story",
                                    text(f->story), "interleaving", text(f->interleaving), "buffered",
                                    (int)f->buffered, "ranks", ranks, "sites", sites, "count",
                                    (json_int_t)f->count, "fate", write_fate(f->fate, w->sites), "cause",
                                    f->cause ? key(w->sites, f->cause) : json_null(), "kept", text(f->kept),
                                    "cut", text(f->cut)));
    return true;
}

static json_t *write_findings(const struct sched_findings *findings, const struct sched_sites *sites,
                              bool without_run)
{
    struct writing w = {sites, json_array()};
    sched_findings_each(findings, without_run, write_finding, &w);
    return w.findings;
}

static void finish_keys(char **keys, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(keys[i]);
    free(keys);
}

static bool is_rank(json_int_t rank) { return rank >= 0 && rank < SCHED_RANKS_MAX; }

static bool read_ranks(struct sched_finding *f, const json_t *json)
{
    f->n_ranks = json_array_size(json);
    f->ranks = sched_alloc(f->n_ranks, sizeof *f->ranks);
    for (size_t i = 0; i < f->n_ranks; i++) {
        json_int_t rank = json_integer_value(json_array_get(json, i));
        if (!is_rank(rank))
            return false;
        f->ranks[i] = (int)rank;
    }
    return true;
}

static bool read_sites(struct sched_finding *f, struct sched_sites *sites, const json_t *json)
{
    f->n_sites = json_array_size(json);
    f->sites = sched_alloc(f->n_sites, sizeof *f->sites);
    for (size_t i = 0; i < f->n_sites; i++) {
        int rank, fn;
        json_t *where;
        if (json_unpack(json_array_get(json, i), "[i, i, o]", &rank, &fn, &where) != 0 || fn < 0 ||
            fn >= ISP_FN_COUNT || (rank != -1 && !is_rank(rank)))
            return false;
        f->sites[i] = (struct sched_site_ref){rank, (uint16_t)fn, take_site(sites, where)};
    }
    return true;
}

static bool read_finding(struct sched_findings *findings, struct sched_sites *sites, json_t *json)
{
    json_t *names, *message, *story, *interleaving, *ranks, *at, *fate, *cause, *kept, *cut;
    int rule, buffered;
    json_int_t count;
    if (json_unpack(json, "{s:o, s:i, s:o, s:o, s:o, s:b, s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "keys", &names,
                    "rule", &rule, "message", &message, "story", &story, "interleaving", &interleaving,
                    "buffered", &buffered, "ranks", &ranks, "sites", &at, "count", &count, "fate", &fate,
                    "cause", &cause, "kept", &kept, "cut", &cut) != 0 ||
        rule < 0 || rule >= ISP_RULE_COUNT || count < 1 || !json_array_size(names))
        return false;
    struct sched_finding f = {.rule = (enum isp_rule)rule,
                              .buffered = buffered,
                              .count = (uint64_t)count,
                              .message = take_text(message),
                              .story = take_text(story),
                              .interleaving = take_text(interleaving),
                              .cause = take_key(sites, cause),
                              .kept = take_text(kept),
                              .cut = take_text(cut)};
    size_t n_keys = json_array_size(names);
    char **keys = sched_alloc(n_keys, sizeof *keys);
    bool ok = f.message && f.story && read_ranks(&f, ranks) && read_sites(&f, sites, at) &&
              read_fate(&f, sites, fate);
    for (size_t i = 0; i < n_keys; i++)
        ok &= (keys[i] = take_key(sites, json_array_get(names, i))) != NULL;
    if (ok)
        sched_findings_merge(findings, &f, (const char *const *)keys, n_keys);
    finish_keys(keys, n_keys);
    sched_finding_finish(&f);
    return ok;
}

static bool read_findings(struct sched_findings *findings, struct sched_sites *sites, const json_t *json)
{
    bool ok = json_is_array(json);
    for (size_t i = 0; ok && i < json_array_size(json); i++)
        ok = read_finding(findings, sites, json_array_get(json, i));
    return ok;
}

/* Finished runs: [buffered, first, last]. */
static json_t *write_spans(const struct sched_findings *findings)
{
    const struct sched_span *spans;
    size_t n = sched_findings_spans(findings, &spans);
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(all,
                              json_pack("[b, s, s]", (int)spans[i].buffered, spans[i].first, spans[i].last));
    return all;
}

static bool read_spans(struct sched_findings *findings, const json_t *json)
{
    bool ok = json_is_array(json);
    for (size_t i = 0; ok && i < json_array_size(json); i++) {
        int buffered;
        const char *first, *last;
        ok = json_unpack(json_array_get(json, i), "[b, s, s]", &buffered, &first, &last) == 0;
        if (ok)
            sched_findings_add_span(findings, &(struct sched_span){buffered, (char *)first, (char *)last});
    }
    return ok;
}

/* ---- barriers ---- */

static json_t *write_barriers(const struct sched_result *part)
{
    const struct sched_barriers *b = &part->barriers;
    json_t *runs = json_array();
    for (size_t i = 0; i < b->n_runs; i++) {
        json_t *all = json_array();
        for (size_t k = 0; k < b->runs[i].n; k++) {
            const struct sched_barrier *barrier = &b->runs[i].all[k];
            json_t *ranks = json_array();
            for (int rank = 0; rank < part->options->ranks; rank++)
                if (barrier->ranks[rank])
                    json_array_append_new(ranks, json_integer(rank));
            json_array_append_new(all, json_pack("[o, I, b, o]", site(part->sites, barrier->site),
                                                 (json_int_t)barrier->group, (int)barrier->matters, ranks));
        }
        json_array_append_new(runs, json_pack("{s:b, s:s, s:o}", "buffered", (int)b->runs[i].buffered,
                                              "interleaving", b->runs[i].interleaving, "barriers", all));
    }
    return runs;
}

static bool read_barrier(struct sched_barrier *barrier, struct sched_result *part, const json_t *json)
{
    json_t *at, *ranks;
    json_int_t group;
    int matters;
    if (json_unpack((json_t *)json, "[o, I, b, o]", &at, &group, &matters, &ranks) != 0)
        return false;
    *barrier = (struct sched_barrier){take_site(part->sites, at), (uint32_t)group, matters,
                                      sched_alloc((size_t)part->options->ranks, sizeof(bool))};
    for (size_t i = 0; i < json_array_size(ranks); i++) {
        json_int_t rank = json_integer_value(json_array_get(ranks, i));
        if (rank >= 0 && rank < part->options->ranks)
            barrier->ranks[rank] = true;
    }
    return true;
}

static bool read_barriers(struct sched_result *part, const json_t *json)
{
    bool ok = json_is_array(json);
    for (size_t i = 0; ok && i < json_array_size(json); i++) {
        json_t *all;
        int buffered;
        const char *interleaving;
        if (json_unpack(json_array_get(json, i), "{s:b, s:s, s:o}", "buffered", &buffered, "interleaving",
                        &interleaving, "barriers", &all) != 0)
            return false;
        struct sched_barrier_run run = {
            .n = json_array_size(all), .buffered = buffered, .interleaving = sched_strdup(interleaving)};
        run.all = sched_alloc(run.n, sizeof *run.all);
        for (size_t k = 0; k < run.n; k++)
            ok &= read_barrier(&run.all[k], part, json_array_get(all, k));
        sched_barriers_add(&part->barriers, &run, part->options->ranks);
    }
    return ok;
}

/* ---- verdicts on deadlocks ---- */

static json_t *write_verdicts(const struct sched_result *part, bool without_run)
{
    json_t *all = json_array();
    for (const struct sched_unsafe_verdict *v = part->verdicts; v; v = v->next) {
        bool less = without_run && v == part->judged;
        uint64_t told = v->told - (less && v->kind != SCHED_UNSAFE_LOST),
                 withheld = v->withheld - (less && v->kind == SCHED_UNSAFE_LOST);
        if (told + withheld)
            json_array_append_new(all, json_pack("{s:o, s:i, s:s, s:o, s:o, s:I, s:I}", "key",
                                                 key(part->sites, v->key), "kind", (int)v->kind,
                                                 "interleaving", v->interleaving, "other",
                                                 v->other ? key(part->sites, v->other) : json_null(), "lost",
                                                 write_findings(v->lost, part->sites, false), "told",
                                                 (json_int_t)told, "withheld", (json_int_t)withheld));
    }
    return all;
}

static bool read_verdicts(struct sched_result *part, const json_t *json)
{
    bool ok = json_is_array(json);
    for (size_t i = 0; ok && i < json_array_size(json); i++) {
        json_t *name, *other, *lost;
        int kind;
        const char *interleaving;
        json_int_t told, withheld;
        if (json_unpack(json_array_get(json, i), "{s:o, s:i, s:s, s:o, s:o, s:I, s:I}", "key", &name, "kind",
                        &kind, "interleaving", &interleaving, "other", &other, "lost", &lost, "told", &told,
                        "withheld", &withheld) != 0 ||
            !json_is_string(name))
            return false;
        struct sched_unsafe_verdict *v = sched_alloc(1, sizeof *v);
        *v = (struct sched_unsafe_verdict){.key = take_key(part->sites, name),
                                           .kind = (enum sched_unsafe_kind)kind,
                                           .interleaving = sched_strdup(interleaving),
                                           .other = take_key(part->sites, other),
                                           .lost = sched_findings_create(),
                                           .told = (uint64_t)told,
                                           .withheld = (uint64_t)withheld};
        ok = read_findings(v->lost, part->sites, lost);
        sched_unsafe_add(&part->verdicts, v);
    }
    return ok;
}

/* ---- predictions ---- */

static json_t *write_prediction(const struct sched_result *part)
{
    const struct sched_prediction *p = &part->prediction;
    return json_pack("{s:b, s:b, s:I, s:o}", "none", (int)p->none, "vary", (int)p->vary, "digest",
                     (json_int_t)p->digest, "findings",
                     part->predicted ? write_findings(part->predicted, part->sites, false) : json_null());
}

/* Without one, nothing was predicted. */
static bool read_prediction(struct sched_result *part, const json_t *json)
{
    int none, vary;
    json_int_t digest;
    json_t *findings;
    if (!json)
        return part->prediction.vary = true;
    if (json_unpack((json_t *)json, "{s:b, s:b, s:I, s:o}", "none", &none, "vary", &vary, "digest", &digest,
                    "findings", &findings) != 0)
        return false;
    part->prediction = (struct sched_prediction){none, vary, (uint64_t)digest};
    if (json_is_null(findings))
        return true;
    part->predicted = sched_findings_create();
    return read_findings(part->predicted, part->sites, findings);
}

/* ---- what the user says does not matter ---- */

static json_t *write_assumed(const struct sched_result *part)
{
    json_t *all = json_array();
    const char *words;
    for (size_t k = 0; (words = sched_variables_assumed(part->sites, k)); k++)
        json_array_append_new(all, text(words));
    return all;
}

static void read_assumed(struct sched_result *part, const json_t *json)
{
    for (size_t i = 0; i < json_array_size(json); i++) {
        char *words = take_text(json_array_get(json, i));
        if (words)
            sched_variables_assume(part->sites, words);
        free(words);
    }
}

/* ---- the whole ---- */

json_t *sched_part_write(const struct sched_result *part, bool without_run)
{
    json_t *json = json_object();
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_object_set_new(json, numbers[i].name, json_integer((json_int_t)*number(part, i)));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        json_object_set_new(json, flags[i].name, json_boolean(*flag(part, i)));
    json_object_set_new(json, "leaves", json_pack("[f, f]", part->leaves, part->buffered_leaves));
    json_object_set_new(json, "orders", sched_orders_write(&part->orders, part->sites));
    json_object_set_new(json, "buffered_orders", sched_orders_write(&part->buffered_orders, part->sites));
    json_object_set_new(json, "loops_met", json_integer((json_int_t)part->loops_met));
    json_object_set_new(json, "hangs", json_integer(part->hangs));
    json_object_set_new(json, "incomplete",
                        part->incomplete_because && part->incomplete_in.interleaving
                            ? json_pack("{s:o, s:b, s:o}", "because", text(part->incomplete_because),
                                        "buffered", (int)part->incomplete_in.buffered, "interleaving",
                                        text(part->incomplete_in.interleaving))
                            : json_null());
    json_object_set_new(json, "unshown_death", text(part->unshown_death));
    json_object_set_new(json, "findings", write_findings(part->findings, part->sites, without_run));
    json_object_set_new(json, "leftovers", sched_leftovers_write(part->leftovers));
    json_object_set_new(json, "spans", write_spans(part->findings));
    json_object_set_new(json, "barriers", write_barriers(part));
    json_object_set_new(json, "verdicts", write_verdicts(part, without_run));
    json_object_set_new(json, "prediction", write_prediction(part));
    json_object_set_new(json, "assumed", write_assumed(part));
    json_object_set_new(json, "apart", sched_aparts_write(&part->apart));
    return json;
}

bool sched_part_read(struct sched_result *part, const json_t *json)
{
    json_t *incomplete, *findings, *barriers, *verdicts;
    int hangs;
    json_int_t met;
    if (json_unpack((json_t *)json, "{s:[F, F], s:I, s:i, s:o, s:o, s:o, s:o}", "leaves", &part->leaves,
                    &part->buffered_leaves, "loops_met", &met, "hangs", &hangs, "incomplete", &incomplete,
                    "findings", &findings, "barriers", &barriers, "verdicts", &verdicts) != 0)
        return false;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        const json_t *yes = json_object_get(json, flags[i].name);
        if (yes && !json_is_boolean(yes))
            return false;
        *flag(part, i) = !yes || json_is_true(yes); /* one that is not told may have been shown */
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const json_t *n = json_object_get(json, numbers[i].name);
        if (n && (!json_is_integer(n) || json_integer_value(n) < 0))
            return false;
        *number(part, i) = (uint64_t)json_integer_value(n);
    }
    read_assumed(part, json_object_get(json, "assumed"));
    part->loops_met = (uint64_t)met;
    part->hangs = (unsigned)hangs;
    json_t *because, *interleaving;
    int buffered;
    if (json_unpack(incomplete, "{s:o, s:b, s:o}", "because", &because, "buffered", &buffered, "interleaving",
                    &interleaving) == 0)
        set_incomplete(part, take_text(because), (struct sched_moment){buffered, take_text(interleaving)});
    sched_part_unshown_death(part, take_text(json_object_get(json, "unshown_death")));
    return sched_orders_read(&part->orders, part->sites, json_object_get(json, "orders")) &&
           sched_orders_read(&part->buffered_orders, part->sites, json_object_get(json, "buffered_orders")) &&
           read_findings(part->findings, part->sites, findings) &&
           read_spans(part->findings, json_object_get(json, "spans")) &&
           sched_leftovers_read(&part->leftovers, json_object_get(json, "leftovers")) &&
           read_barriers(part, barriers) && read_verdicts(part, verdicts) &&
           read_prediction(part, json_object_get(json, "prediction")) &&
           sched_aparts_read(&part->apart, json_object_get(json, "apart"));
}

static bool merge_finding(const struct sched_finding *f, const char *const *keys, size_t n_keys,
                          void *findings)
{
    sched_findings_merge(findings, f, keys, n_keys);
    return true;
}

static void merge_prediction(struct sched_result *part, const struct sched_result *more)
{
    struct sched_prediction *p = &part->prediction;
    p->none |= more->prediction.none;
    p->vary |= more->prediction.vary;
    if (more->prediction.digest)
        sched_prediction_take(p, more->prediction.digest);
    if (more->predicted && !part->predicted)
        part->predicted = sched_findings_create();
    if (more->predicted)
        sched_findings_each(more->predicted, false, merge_finding, part->predicted);
}

void sched_part_merge(struct sched_result *part, struct sched_result *more)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *number(part, i) = sched_count_sum(*number(part, i), *number(more, i));
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flag(part, i) |= *flag(more, i);
    part->leaves = poe_leaves(part->leaves + more->leaves);
    part->buffered_leaves = poe_leaves(part->buffered_leaves + more->buffered_leaves);
    sched_orders_merge(&part->orders, &more->orders);
    sched_orders_merge(&part->buffered_orders, &more->buffered_orders);
    part->loops_met |= more->loops_met;
    part->left_out.open += more->left_out.open;
    part->hangs += more->hangs;
    set_incomplete(part, more->incomplete_because, more->incomplete_in);
    more->incomplete_because = NULL;
    more->incomplete_in = (struct sched_moment){0};
    sched_part_unshown_death(part, more->unshown_death);
    more->unshown_death = NULL;
    sched_findings_meet(part->findings, more->findings);
    sched_findings_each(more->findings, false, merge_finding, part->findings);
    for (size_t i = 0; i < more->barriers.n_runs; i++)
        sched_barriers_add(&part->barriers, &more->barriers.runs[i], part->options->ranks);
    more->barriers.n_runs = 0;
    for (struct sched_unsafe_verdict *v = more->verdicts, *next; v; v = next) {
        next = v->next;
        sched_unsafe_add(&part->verdicts, v);
    }
    more->verdicts = NULL;
    sched_leftovers_merge(&part->leftovers, more->leftovers);
    merge_prediction(part, more);
    sched_aparts_merge(&part->apart, &more->apart);
    const struct sched_options *options = more->options;
    struct sched_sites *sites = more->sites;
    sched_part_finish(more);
    sched_part_init(more, options, sites);
}

void sched_part_settle(struct sched_result *whole)
{
    sched_unsafe_settle(whole);
    sched_mixed_settle(whole);
    sched_predicted_settle(whole);
    sched_aparts_sort(&whole->apart);
    sched_findings_sort(whole->findings);
    sched_findings_fold(whole->findings);
    sched_findings_put_causes_first(whole->findings);
}

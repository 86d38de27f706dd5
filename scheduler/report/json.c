/* SPDX-License-Identifier: BSD-3-Clause */
/* See json.h and docs/result.md: the fields are a promise. */
#include "json.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "assumptions.h"
#include "critical.h"
#include "base/escape.h"
#include "isp/functions.h"
#include "base/alloc.h"
#include "replay.h"
#include "findings/suppressions.h"
#include "verdict.h"

json_t *sched_json_text(const char *raw)
{
    if (!raw)
        return json_null();
    char *valid = sched_escape(raw, "\n\t");
    json_t *string = json_string(valid);
    free(valid);
    return string;
}

static json_t *take(char *owned)
{
    json_t *string = sched_json_text(owned);
    free(owned);
    return string;
}

static const char *severity_name(enum isp_severity severity)
{
    static const char *const names[] = {
        [ISP_SEVERITY_ERROR] = "error", [ISP_SEVERITY_WARNING] = "warning", [ISP_SEVERITY_NOTE] = "note"};
    return names[severity];
}

const json_t *sched_json_headline(const json_t *site)
{
    const json_t *shown = json_object_get(site, "shown");
    return shown ? shown : site;
}

static void set_place(json_t *object, const struct sched_location *at)
{
    json_object_set_new(object, "file", sched_json_text(at->file));
    json_object_set_new(object, "line", at->line ? json_integer(at->line) : json_null());
    json_object_set_new(object, "function", sched_json_text(at->function));
}

/* Its callers, if they are known, and which of them is the line that matters. */
static void set_stack(const struct sched_result *result, json_t *site, uint32_t number)
{
    size_t n, shown = sched_sites_shown(result->sites, number);
    const struct sched_location *way = sched_sites_way(result->sites, number, &n);
    if (n < 2 || !sched_sites_is_whole(result->sites, number))
        return;
    json_t *stack = json_array();
    for (size_t i = 1; i < n; i++) {
        json_t *frame = json_object();
        set_place(frame, &way[i]);
        json_array_append_new(stack, frame);
    }
    json_object_set_new(site, "stack", stack);
    if (shown) {
        json_t *frame = json_object();
        set_place(frame, &way[shown]);
        json_object_set_new(site, "shown", frame);
    }
}

static json_t *site_json(const struct sched_result *result, const struct sched_site_ref *ref)
{
    const struct sched_location *at = sched_sites_find(result->sites, ref->site);
    json_t *site = json_object();
    json_object_set_new(site, "rank", ref->rank < 0 ? json_null() : json_integer(ref->rank));
    json_object_set_new(site, "call",
                        ref->fn ? sched_json_text(isp_fn_name((enum isp_fn)ref->fn)) : json_null());
    set_place(site, at);
    set_stack(result, site, ref->site);
    return site;
}

static json_t *critical_json(const struct sched_result *result, const struct sched_finding *f)
{
    struct sched_critical c;
    if (!sched_critical_find(result, f, &c))
        return json_null();
    const struct sched_location *at = sched_sites_find(result->sites, c.choice->site);
    json_t *critical = json_object();
    json_object_set_new(critical, "decision", json_integer(c.decision));
    json_object_set_new(critical, "call", sched_json_text(isp_fn_name((enum isp_fn)c.choice->fn)));
    json_object_set_new(critical, "rank", json_integer(c.choice->rank));
    json_object_set_new(critical, "file", sched_json_text(at->file));
    json_object_set_new(critical, "line", at->line ? json_integer(at->line) : json_null());
    json_object_set_new(critical, "taken", sched_json_text(c.taken));
    json_object_set_new(critical, "alternative", sched_json_text(c.alternative));
    json_object_set_new(critical, "interleaving", sched_json_text(c.interleaving));
    sched_critical_finish(&c);
    return critical;
}

static json_t *finding_json(const struct sched_result *result, const struct sched_finding *f)
{
    json_t *ranks = json_array(), *sites = json_array(), *finding = json_object();
    for (size_t i = 0; i < f->n_ranks; i++)
        json_array_append_new(ranks, json_integer(f->ranks[i]));
    for (size_t i = 0; i < f->n_sites; i++)
        json_array_append_new(sites, site_json(result, &f->sites[i]));
    json_object_set_new(finding, "rule", sched_json_text(sched_rule_id(f->rule)));
    json_object_set_new(finding, "severity", sched_json_text(severity_name(sched_rule_severity(f->rule))));
    json_object_set_new(finding, "message", sched_json_text(f->message));
    json_object_set_new(finding, "story", take(sched_critical_story(result, f)));
    json_object_set_new(finding, "interleaving", sched_json_text(f->interleaving));
    json_object_set_new(finding, "buffered", json_boolean(f->buffered));
    json_object_set_new(finding, "predicted", json_boolean(f->predicted));
    json_object_set_new(finding, "ranks", ranks);
    json_object_set_new(finding, "count", json_integer((json_int_t)f->count));
    json_object_set_new(finding, "sites", sites);
    json_object_set_new(finding, "critical", critical_json(result, f));
    json_object_set_new(finding, "replay", take(sched_replay_command(result->options, f)));
    char *debug = sched_replay_debug_command(result->options, f);
    if (debug)
        json_object_set_new(finding, "debug", take(debug));
    return finding;
}

static void set_counts(json_t *root, const struct sched_result *r)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {
        {"interleavings", r->interleavings},
        {"deadlocked_interleavings", r->deadlocked_interleavings},
        {"buffered_interleavings", r->buffered_interleavings},
        {"runs", r->runs + r->redundant_runs},
        {"states", r->states},
        {"redundant_runs", r->redundant_runs},
        {"choice_points", r->choice_points},
        {"calls", r->calls},
        {"suppressed", r->options->suppressions ? r->options->suppressions->suppressed : 0},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_object_set_new(root, counts[i].name, json_integer((json_int_t)counts[i].value));
    json_object_set_new(root, "no_deadlock_predicted", json_boolean(sched_result_predicts_none(r)));
    json_object_set_new(root, "seconds", json_real(r->seconds));
}

/* Numbers beyond a double's range are its largest. */
static json_t *estimate_json(double estimate)
{
    return estimate > 0 ? json_real(estimate < DBL_MAX ? estimate : DBL_MAX) : json_null();
}

/* What bounds have left out, by the option. */
static json_t *left_out_json(const struct sched_result *r)
{
    static const char *const stops[] = {[SCHED_STOP_TIME] = "max-time",
                                        [SCHED_STOP_INTERLEAVINGS] = "max-interleavings",
                                        [SCHED_STOP_FIRST] = "stop-at-first",
                                        [SCHED_STOP_SAMPLE] = "sample",
                                        [SCHED_STOP_SAME] = "same-end"};
    const struct {
        const char *bound;
        bool met;
        uint64_t choice_points;
    } bounds[] = {{stops[r->left_out.stop], r->left_out.stop, r->left_out.open},
                  {"mix", r->left_out.mixing, r->left_out.mixing},
                  {"loop", r->left_out.loops, r->left_out.loops}};
    json_t *all = json_array();
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (!bounds[i].met)
            continue;
        json_t *one = json_object();
        json_object_set_new(one, "bound", json_string(bounds[i].bound));
        json_object_set_new(one, "choice_points", json_integer((json_int_t)bounds[i].choice_points));
        json_array_append_new(all, one);
    }
    return all;
}

/* Why not complete: null unless the search was cut short. */
static json_t *most_orders_json(const struct sched_result *r)
{
    struct sched_most most;
    if (!sched_most_find(r, &most))
        return json_null();
    const struct sched_class *class = &most.order->class;
    const struct sched_location *at = sched_sites_find(r->sites, class->site);
    json_t *json = json_object();
    json_object_set_new(json, "call", sched_json_text(isp_fn_name((enum isp_fn) class->fn)));
    json_object_set_new(json, "kind", json_string(sched_class_word((enum sched_class_kind) class->kind)));
    json_object_set_new(json, "file", sched_json_text(at->file));
    json_object_set_new(json, "line", at->line ? json_integer(at->line) : json_null());
    json_object_set_new(json, "function", sched_json_text(at->function));
    json_object_set_new(json, "factor", json_real(most.factor));
    json_object_set_new(json, "of", json_real(most.of));
    json_object_set_new(json, "option", sched_json_text(most.option));
    json_object_set_new(json, "leaves", most.option ? json_real(most.leaves) : json_null());
    json_object_set_new(json, "words", take(sched_most_words(r, &most)));
    sched_most_finish(&most);
    return json;
}

static json_t *suppressions_json(const struct sched_suppressions *all)
{
    json_t *blocks = json_array();
    for (size_t i = 0; all && i < all->n_blocks; i++) {
        const struct sched_suppression *b = &all->blocks[i];
        json_t *block = json_object();
        json_object_set_new(block, "name", sched_json_text(b->name));
        json_object_set_new(block, "file", sched_json_text(b->file));
        json_object_set_new(block, "line", json_integer(b->line));
        json_object_set_new(block, "used", json_integer((json_int_t)b->used));
        json_array_append_new(blocks, block);
    }
    return blocks;
}

static json_t *assumptions_json(const struct sched_result *r)
{
    json_t *all = json_array();
    const char *words;
    for (size_t k = 0; (words = sched_assumption(r, k)); k++)
        json_array_append_new(all, json_string(words));
    return all;
}

/* How isp was called, where, and what it ends with. */
static json_t *invocation_json(const struct sched_result *r)
{
    json_t *words = json_array();
    for (char **word = r->options->words; word && *word; word++)
        json_array_append_new(words, sched_json_text(*word));
    return json_pack("{s:o, s:o, s:i, s:s}", "words", words, "folder", take(get_current_dir_name()),
                     "exit_code", sched_exit_code(r), "fail_on",
                     r->options->fail_on == SCHED_FAIL_ON_ERROR ? "error" : "warning");
}

json_t *sched_result_json(const struct sched_result *r)
{
    static const char *const bufferings[] = {
        [ISP_BUFFERING_ZERO] = "zero", [ISP_BUFFERING_INFINITE] = "infinite", [ISP_BUFFERING_AUTO] = "auto"};
    json_t *root = json_object(), *command = json_array(), *findings = json_array();
    for (char **word = r->options->command; *word; word++)
        json_array_append_new(command, sched_json_text(*word));
    struct sched_finding *const *all;
    size_t n = sched_findings_all(r->findings, &all);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(findings, finding_json(r, all[i]));
    const char *why = r->incomplete_because ? r->incomplete_because
                      : r->unsupported      ? "an MPI call that isp cannot model was met"
                                            : NULL;
    json_object_set_new(root, "isp", sched_json_text(ISP_VERSION));
    json_object_set_new(root, "format", json_integer(1));
    json_object_set_new(root, "command", command);
    json_object_set_new(root, "invocation", invocation_json(r));
    json_object_set_new(root, "ranks", json_integer(r->options->ranks));
    json_object_set_new(root, "buffering", sched_json_text(bufferings[r->options->buffering]));
    json_object_set_new(root, "verdict", sched_json_text(sched_verdict_name(sched_verdict(r))));
    json_object_set_new(root, "complete", json_boolean(!why));
    json_object_set_new(root, "incomplete_because", sched_json_text(why));
    json_object_set_new(root, "assumptions", assumptions_json(r));
    set_counts(root, r);
    json_object_set_new(root, "estimated_interleavings", estimate_json(r->estimate));
    json_object_set_new(root, "estimated_buffered_interleavings", estimate_json(r->buffered_estimate));
    json_object_set_new(root, "left_out", left_out_json(r));
    json_object_set_new(root, "most_orders", most_orders_json(r));
    json_object_set_new(root, "suppressions", suppressions_json(r->options->suppressions));
    json_object_set_new(root, "findings", findings);
    return root;
}

bool sched_report_json(const struct sched_report *report, FILE *out)
{
    return json_dumpf(report->result, out, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) == 0 &&
           fputc('\n', out) != EOF;
}

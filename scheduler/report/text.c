/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One verdict line (errors, warnings, how much was explored), then the findings: a line that editors jump
 * to, the story below it, and the command that shows it again. Notes only with -v; with -q nothing but
 * the findings' first lines.
 */
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advice.h"
#include "assumptions.h"
#include "explore/bounds.h"
#include "words/ascii.h"
#include "words/words.h"
#include "words/columns.h"
#include "critical.h"
#include "base/escape.h"
#include "excerpt.h"
#include "isp/functions.h"
#include "base/alloc.h"
#include "replay.h"
#include "run/merges.h"
#include "suppressions.h"
#include "verdict.h"
#include "words/wrap.h"

enum { NARROWEST = 30 }; /* what is broken into fewer columns cannot be read */

struct colours {
    const char *place, *error, *warning, *note, *off;
};

struct report {
    const struct sched_result *result;
    FILE *out;
    struct colours colours;
    int columns;     /* of the terminal; 0: lines are not broken */
    bool unresolved; /* a finding has a place without a line */
};

static struct colours colours_for(FILE *out)
{
    static const struct colours none = {"", "", "", "", ""},
                                ansi = {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[0m"};
    return sched_terminal_colours(out) ? ansi : none;
}

static void put(const struct report *r, const char *raw)
{
    char *safe = sched_escape(raw, "");
    fputs(safe, r->out);
    free(safe);
}

/* ---- the verdict line ---- */

static void put_number(const struct report *r, size_t n, const char *what)
{
    fprintf(r->out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

static void put_counts(const struct report *r)
{
    size_t errors = sched_verdict_count(r->result, ISP_SEVERITY_ERROR);
    size_t warnings = sched_verdict_count(r->result, ISP_SEVERITY_WARNING);
    if (errors)
        put_number(r, errors, "error");
    else
        fputs("no error", r->out);
    if (warnings) {
        fputs(", ", r->out);
        put_number(r, warnings, "warning");
    }
}

/* "1000 of about 3e5" */
static void put_number_of(const struct report *r, uint64_t n, double estimate)
{
    char *about = sched_bounds_about(estimate, n);
    if (n == SCHED_COUNT_MOST)
        fputs("more than 9e18", r->out);
    else
        fprintf(r->out, "%" PRIu64 "%s%s", n, about ? " of " : "", about ? about : "");
    free(about);
}

static void put_explored(const struct report *r)
{
    const struct sched_result *x = r->result;
    if (x->options->replay) {
        fputs(" in the replayed interleaving", r->out);
        return;
    }
    if (x->merged_runs && x->runs < sched_result_interleavings(x))
        fprintf(r->out, ": %" PRIu64 " runs stand for ", x->runs);
    else
        fputs(" in ", r->out);
    put_number_of(r, x->interleavings, x->estimate);
    fputs(x->interleavings == 1 && !x->estimate ? " interleaving" : " interleavings", r->out);
    if (x->buffered_too) {
        fputs(" and ", r->out);
        put_number_of(r, x->buffered_interleavings, x->buffered_estimate);
        fputs(" with buffered sends", r->out);
    }
    if (!x->incomplete_because && !x->unsupported)
        fputs(", all explored", r->out);
}

/* "MPI_Ibarrier at app.c:12", of the first such call. */
static void put_unsupported(const struct report *r)
{
    struct sched_finding *const *all;
    size_t n = sched_findings_all(r->result->findings, &all);
    fputs("unsupported: ", r->out);
    for (size_t i = 0; i < n; i++) {
        if (all[i]->rule != ISP_RULE_UNSUPPORTED)
            continue;
        const struct sched_site_ref *ref = all[i]->n_sites ? &all[i]->sites[0] : NULL;
        const struct sched_location *at = sched_sites_headline(r->result->sites, ref ? ref->site : 0);
        if (ref && ref->fn)
            fputs(isp_fn_name((enum isp_fn)ref->fn), r->out);
        else
            put(r, all[i]->message);
        if (at->file && at->line) {
            fputs(" at ", r->out);
            put(r, at->file);
            fprintf(r->out, ":%d", at->line);
        }
        break;
    }
    fputs("; nothing after it is judged; ", r->out);
}

/* Of a replay the reason is told only if it did not come to its end. */
static bool tells_reason(const struct sched_result *x)
{
    return x->incomplete_because && !x->unsupported &&
           (!x->options->replay || strcmp(x->incomplete_because, SCHED_REPLAY_IS_ONE) != 0);
}

static void put_verdict_line(const struct report *r)
{
    const struct sched_result *x = r->result;
    fprintf(r->out, "%sisp:%s ", r->colours.place, r->colours.off);
    if (x->unsupported)
        put_unsupported(r);
    put_counts(r);
    put_explored(r);
    if (tells_reason(x)) {
        fputs(", incomplete: ", r->out);
        put(r, x->incomplete_because);
    }
    fprintf(r->out, " (%.2f s)", x->seconds);
}

/* Below the verdict line; or, if there are errors, behind these. */
static void put_assumptions(const struct report *r, bool behind)
{
    const char *words;
    for (size_t k = 0; (words = sched_assumption(r->result, k)); k++) {
        char *line = sched_format("%s%s", behind ? "isp: " : "  ", words);
        sched_wrap_put(r->out, line, behind ? 5 : 2, r->columns);
        free(line);
    }
}

enum { MOST_APART = 10 };

/* What keeps states apart. What never does so alone may well decide what the program does: loop variables
 * do. */
static void put_apart(const struct report *r)
{
    const struct sched_aparts *a = &r->result->apart;
    for (size_t i = 0; i < a->n && i < MOST_APART; i++) {
        const struct sched_apart *one = &a->all[i];
        char *whose = one->rank < 0 ? sched_strdup("several ranks") : sched_format("rank %d", one->rank);
        char *alone = one->alone ? sched_format(", in %" PRIu64 " of them nothing else", one->alone) : NULL;
        char *line = sched_format("  not merged: %s of %s differs%s%s (in %" PRIu64 " of %" PRIu64
                                  " pairs of states%s)%s%s",
                                  one->what, whose, *one->values ? ": " : "", one->values, one->count,
                                  a->compared, alone ? alone : "", *one->hint ? "; " : "", one->hint);
        sched_wrap_put(r->out, line, 4, r->columns);
        free(line);
        free(alone);
        free(whose);
    }
    if (a->n && a->all[0].alone) {
        const char *option = a->all[0].option;
        char *line = sched_format("  if it does not matter to what comes next: %s%s%sisp_ignore (isp.h)",
                                  *option ? "--ignore " : "", option, *option ? ", or " : "");
        sched_wrap_put(r->out, line, 4, r->columns);
        free(line);
    }
}

static void put_verdict(const struct report *r)
{
    const struct sched_result *x = r->result;
    char *line = NULL;
    size_t size = 0;
    struct report part = *r;
    part.out = sched_must(open_memstream(&line, &size));
    put_verdict_line(&part);
    fclose(part.out);
    sched_wrap_put(r->out, line, 5, r->columns);
    free(line);
    if (!sched_verdict_count(x, ISP_SEVERITY_ERROR))
        put_assumptions(r, false);
    if (sched_result_predicts_none(x))
        sched_wrap_put(
            r->out,
            x->options->buffering == ISP_BUFFERING_AUTO
                ? "  note: no deadlock is possible in any order of the calls of these runs "
                  "(prediction; it assumes that the calls do not depend on who was first, and that "
                  "MPI buffers all standard sends or none)"
                : "  note: no deadlock is possible in any order of the calls of these runs "
                  "(prediction; it assumes that the calls do not depend on who was first)",
            2, r->columns);
    if (x->options->verbose)
        fprintf(r->out,
                "  %" PRIu64 " choice points, %" PRIu64 " calls, %" PRIu64 " redundant runs, %" PRIu64
                " interleaving%s with a deadlock\n",
                x->choice_points, x->calls, x->redundant_runs, x->deadlocked_interleavings,
                x->deadlocked_interleavings == 1 ? "" : "s");
    if (x->options->verbose && x->states)
        fprintf(r->out, "  %" PRIu64 " states were kept, and %" PRIu64 " runs ended at one of them\n",
                x->states, x->merged_runs);
    put_apart(r);
}

/* ---- a finding ---- */

static void put_place(struct report *r, const struct sched_finding *f)
{
    const struct sched_location *at =
        sched_sites_headline(r->result->sites, f->n_sites ? f->sites[0].site : 0);
    char *place;
    if (at->file && at->line)
        place = sched_format("%s:%d", at->file, at->line);
    else if (at->module)
        place = sched_format("%s+0x%" PRIx64, at->module, at->offset);
    else
        place = sched_strdup(r->result->options->command[0]);
    r->unresolved |= at->module && !at->line;
    fputs(r->colours.place, r->out);
    put(r, place);
    fprintf(r->out, ":%s ", r->colours.off);
    free(place);
}

static void put_headline(struct report *r, const struct sched_finding *f)
{
    enum isp_severity severity = sched_rule_severity(f->rule);
    const char *name = severity == ISP_SEVERITY_ERROR     ? "error"
                       : severity == ISP_SEVERITY_WARNING ? "warning"
                                                          : "note";
    const char *colour = severity == ISP_SEVERITY_ERROR     ? r->colours.error
                         : severity == ISP_SEVERITY_WARNING ? r->colours.warning
                                                            : r->colours.note;
    put_place(r, f);
    fprintf(r->out, "%s%s:%s ", colour, name, r->colours.off);
    put(r, f->message);
    fprintf(r->out, " [%s]\n", sched_rule_id(f->rule));
}

static void put_story(const struct report *r, const struct sched_finding *f)
{
    char *story = sched_critical_story(r->result, f), *safe = sched_escape(story, "\n");
    if (sched_ascii_is_wanted())
        sched_ascii_arrows(safe);
    for (char *rest = safe, *line; (line = strsep(&rest, "\n"));)
        if (*line) {
            char *indented = sched_format("  %s", line);
            sched_wrap_put(r->out, indented, 6, r->columns);
            free(indented);
        }
    free(story);
    free(safe);
}

static bool is_first(const struct sched_finding *f, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (f->sites[i].site == f->sites[k].site && f->sites[i].fn == f->sites[k].fn)
            return false;
    return true;
}

/* A way is told if its line that matters is not that of the call, if others share it, or with --stacks. */
static bool is_told(const struct report *r, uint32_t site, size_t n)
{
    struct sched_sites *sites = r->result->sites;
    return n > 1 && (r->result->options->stacks || sched_sites_shown(sites, site) > 0 ||
                     sched_sites_is_shared(sites, site));
}

enum { SHOWN_WAYS = 8 };

/* "MPI_Recv: wrap.c:5 my_recv, called from app.c:12 main" */
static void put_way(const struct report *r, enum isp_rule rule, const struct sched_site_ref *ref,
                    const struct sched_location *way, size_t n)
{
    bool stack = rule == ISP_RULE_HANG || rule == ISP_RULE_CRASH;
    char *line = sched_format("  %s: ", ref->fn ? isp_fn_name((enum isp_fn)ref->fn)
                                        : stack ? "where it was"
                                                : "the access");
    for (size_t i = 0; i < n; i++) {
        char *place = sched_location_words(&way[i]);
        sched_words_add(&line, "%s%s", i == 0 ? "" : i == 1 ? ", called from " : ", from ", place);
        free(place);
    }
    sched_wrap_put(r->out, line, 6, r->columns);
    free(line);
}

/* From where the calls came: each way once. */
static void put_callers(const struct report *r, const struct sched_finding *f)
{
    size_t told = 0;
    for (size_t i = 0; i < f->n_sites; i++) {
        size_t n;
        const struct sched_location *way = sched_sites_way(r->result->sites, f->sites[i].site, &n);
        if (!is_first(f, i) || !is_told(r, f->sites[i].site, n))
            continue;
        if (told++ == SHOWN_WAYS && !r->result->options->stacks) {
            fputs("  ... and more ways (--stacks shows all)\n", r->out);
            break;
        }
        put_way(r, f->rule, &f->sites[i], way, n);
    }
}

/* "3 times, on ranks 0, 2; ": of a leak. */
static void put_handles(const struct report *r, const struct sched_finding *f)
{
    char *ranks = sched_words_ranks(f->ranks, f->n_ranks);
    fprintf(r->out, "%" PRIu64 " time%s, on %s; ", f->count, f->count == 1 ? "" : "s", ranks);
    free(ranks);
}

/* Whatever is chosen, as far as the search went. */
static bool is_in_all(const struct sched_finding *f, uint64_t of)
{
    bool counts_runs = f->rule != ISP_RULE_WILDCARD && !sched_rule_is_leak(f->rule);
    return counts_runs && of > 1 && f->fate && f->fate->shown == of;
}

/* Characters: names have thousands where ranks go ahead or poll, and a terminal takes so many in a line. */
enum { SHOWN_NAME = 100, PASTED_NAME = 4000 };

/* The whole of it is in the command that replays it, or in a result. Caller frees. */
static char *shorten(const char *name)
{
    size_t length = strlen(name);
    if (length <= SHOWN_NAME)
        return sched_strdup(name);
    int end = SHOWN_NAME;
    while (end > 0 && name[end] != '.')
        end--;
    return length > PASTED_NAME ? sched_format("%.*s... (%zu characters)", end, name, length)
                                : sched_format("%.*s... (the replay has all of it)", end, name);
}

/* What replays it. */
static const char *replayed(const struct sched_finding *f) { return f->cut ? f->cut : f->interleaving; }

/* How to see it again, where its name is too long for a command. Caller frees. */
static char *by_result(const struct sched_options *o)
{
    const char *json = o->reports[SCHED_FORMAT_JSON];
    bool is_kept = json && strcmp(json, "-") != 0;
    return is_kept ? sched_format("isp debug %s", json)
                   : sched_strdup("isp debug FILE, after a run with --json=FILE, which keeps that name");
}

/* "in interleaving 0.1 (of 2)"; leaks and notes count something else. */
static void put_interleaving(const struct report *r, const struct sched_finding *f)
{
    const struct sched_result *x = r->result;
    bool counts_runs = f->rule != ISP_RULE_WILDCARD && !sched_rule_is_leak(f->rule);
    uint64_t of = f->buffered && x->buffered_too ? x->buffered_interleavings : x->interleavings;
    char *name = shorten(*f->interleaving ? f->interleaving : "0");
    const char *buffered = f->buffered ? " with buffered sends" : "";
    if (f->rule == ISP_RULE_WILDCARD)
        fprintf(r->out, "at %" PRIu64 " choice point%s, ", f->count, f->count == 1 ? "" : "s");
    if (sched_rule_is_leak(f->rule) && f->n_ranks)
        put_handles(r, f);
    if (x->options->replay)
        fprintf(r->out, "in interleaving %s%s", name, buffered);
    else if (f->predicted)
        fprintf(r->out, "in interleaving %s%s, which was predicted and run besides", name, buffered);
    else if (is_in_all(f, of))
        fprintf(r->out, "in all %" PRIu64 " interleavings%s%s, the first is %s", of, buffered,
                x->incomplete_because || x->unsupported ? " so far" : "", name);
    else if (counts_runs && f->count > 1 && f->count <= of)
        fprintf(r->out, "in %" PRIu64 " of %" PRIu64 " interleavings%s, the first is %s", f->count, of,
                buffered, name);
    else if (counts_runs && f->count > 1)
        fprintf(r->out, "in %" PRIu64 " interleavings, the first is %s%s", f->count, name, buffered);
    else
        fprintf(r->out, "%s interleaving %s%s%s", counts_runs ? "in" : "first in", name, buffered, "");
    if (!x->options->replay && !f->predicted && counts_runs && f->count <= 1 && of)
        fprintf(r->out, " (of %" PRIu64 ")", of);
    free(name);
}

/* The command stands in one line, so that it can be copied: if need be in a line of its own, or in one that
 * is too long. */
static void put_replay(const struct report *r, const struct sched_finding *f)
{
    char *replay = sched_replay_command(r->result->options, f), *where = NULL;
    if (!replay)
        return;
    if (strlen(replayed(f)) > PASTED_NAME) {
        free(replay);
        replay = by_result(r->result->options);
    }
    size_t size = 0;
    struct report part = *r;
    part.out = sched_must(open_memstream(&where, &size));
    fputs("  ", part.out);
    put_interleaving(&part, f);
    fclose(part.out);
    bool fits = !r->columns || sched_columns(where) + sched_columns(replay) + 10 <= r->columns;
    if (!fits)
        sched_wrap_put(r->out, where, 6, r->columns);
    fputs(fits ? where : "  ", r->out);
    fputs(fits ? "; replay: " : "replay: ", r->out);
    put(r, replay);
    fputc('\n', r->out);
    free(where);
    free(replay);
}

/* In a line of its own, for the same reason. */
static void put_debug(const struct report *r, const struct sched_finding *f)
{
    char *debug = sched_replay_debug_command(r->result->options, f);
    size_t length = debug ? strlen(replayed(f)) : 0;
    if (length > SHOWN_NAME && length <= PASTED_NAME) {
        fputs("  debug: the same command with `isp debug`\n", r->out);
    } else if (debug && length <= SHOWN_NAME) {
        fputs("  debug: ", r->out);
        put(r, debug);
        fputc('\n', r->out);
    }
    free(debug);
}

static void put_finding(struct report *r, const struct sched_finding *f)
{
    put_headline(r, f);
    if (r->result->options->quiet)
        return;
    sched_excerpt_put(r->result, f, r->columns, r->out);
    put_story(r, f);
    put_callers(r, f);
    put_replay(r, f);
    put_debug(r, f);
}

/* Takes the line. */
static void put_remark(const struct report *r, char *line)
{
    sched_wrap_put(r->out, line, 5, r->columns);
    free(line);
}

/* By the rule of the first finding. */
static void put_explain(const struct report *r, struct sched_finding *const *all, size_t n)
{
    static const char before[] = "isp: what a rule means, and how to fix it:";
    if (!n || sched_rule_severity(all[0]->rule) == ISP_SEVERITY_NOTE)
        return;
    char *command = sched_format("isp explain %s", sched_rule_id(all[0]->rule));
    bool fits = !r->columns || (int)(strlen(before) + 1 + strlen(command)) <= r->columns;
    if (!fits)
        put_remark(r, sched_strdup(before));
    fprintf(r->out, "%s %s\n", fits ? before : "    ", command);
    free(command);
}

static void put_advice(const struct report *r)
{
    char *advice = sched_advice(r->result);
    if (advice)
        put_remark(r, sched_format("isp: %s", advice));
    free(advice);
}

/* Orders were left out, and next to none were merged: -v may say why. */
static void put_hint(const struct report *r)
{
    const struct sched_result *x = r->result;
    bool merges = sched_run_merges(x->options) && !x->options->verbose && !x->unsupported;
    bool saves = sched_result_interleavings(x) >= 2 * x->runs;
    if (merges && x->states && x->incomplete_because && x->choice_points && !saves)
        put_remark(
            r, sched_strdup("isp: -v says which variables keep orders apart; those that do not matter can be "
                            "left out (--ignore)"));
}

static void put_end(const struct report *r, struct sched_finding *const *all, size_t n)
{
    put_explain(r, all, n);
    sched_report_suppressions(r->result, r->out);
    put_advice(r);
    put_hint(r);
    char *loop = r->result->unmet_loop ? sched_escape(r->result->unmet_loop, "") : NULL;
    if (loop)
        put_remark(
            r, sched_format(
                   "isp: --loop %s: no choice was made in a function of that name; is it compiled with -g?",
                   loop));
    free(loop);
}

void sched_report_text(const struct sched_result *result, FILE *out)
{
    const struct sched_options *options = result->options;
    int columns = sched_terminal_columns(out);
    struct report r = {.result = result,
                       .out = out,
                       .colours = colours_for(out),
                       .columns = columns >= NARROWEST ? columns : 0};
    struct sched_finding *const *all;
    size_t n = sched_findings_all(result->findings, &all), hidden = 0;
    if (!options->quiet)
        put_verdict(&r);
    for (size_t i = 0; i < n; i++) {
        bool note = sched_rule_severity(all[i]->rule) == ISP_SEVERITY_NOTE;
        if (note && (options->quiet || !options->verbose))
            hidden++;
        else
            put_finding(&r, all[i]);
    }
    if (!options->quiet && hidden)
        put_remark(&r, sched_format("isp: %zu note%s not shown; -v shows %s", hidden, hidden == 1 ? "" : "s",
                                    hidden == 1 ? "it" : "them"));
    if (!options->quiet && sched_verdict_count(result, ISP_SEVERITY_ERROR))
        put_assumptions(&r, true);
    if (!options->quiet)
        put_end(&r, all, n);
    if (!options->quiet && r.unresolved)
        put_remark(&r, sched_strdup("isp: compile with -g to see files and lines instead of offsets"));
    if (options->gen_suppressions)
        sched_report_generated(result, out);
    fflush(out);
}

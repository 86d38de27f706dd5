/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interleaving that showed a finding, from the trace: what each rank called last, in the order in which isp came to know of it. A run may have
 * a million calls: the path to its end is read from the end, and each rank shows a few.
 */
#include "sarif_parts.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

enum { MAX_FLOWS = 16, MAX_CALLS = 20, THREAD_BITS = 40 };

struct shown {
    int64_t position, number;
    json_t *location;
    char *text;     /* the call, and what became of it */
    bool essential; /* it waits for ever, or the finding is shown here */
    bool choice;
};

/* A thread of a rank. */
struct flow {
    int rank;
    int64_t thread, all; /* calls that it made */
    struct shown calls[MAX_CALLS]; /* the last one first */
    int n;
};

struct flows {
    const struct sched_report *report;
    const json_t *finding;
    int64_t interleaving;
    bool *wanted; /* by rank */
    int ranks;
    bool threads; /* there are other threads than main ones */
    struct flow *all;
    size_t n;
};

/* ---- asking the trace ---- */

/* NULL if the trace cannot answer that; the report then goes without. */
static sqlite3_stmt *ask(const struct flows *f, const char *sql, int64_t one, int64_t two)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(f->report->trace, sql, -1, &statement, NULL) != SQLITE_OK)
        return NULL;
    int parameters = sqlite3_bind_parameter_count(statement);
    if (parameters > 0)
        sqlite3_bind_int64(statement, 1, one);
    if (parameters > 1)
        sqlite3_bind_int64(statement, 2, two);
    return statement;
}

static bool next(sqlite3_stmt *statement)
{
    return statement && sqlite3_step(statement) == SQLITE_ROW;
}

static const char *text_of(sqlite3_stmt *statement, int column)
{
    return (const char *)sqlite3_column_text(statement, column);
}

/* ---- which calls ---- */

static struct flow *flow_of(struct flows *f, int rank, int64_t thread)
{
    for (size_t i = 0; i < f->n; i++)
        if (f->all[i].rank == rank && f->all[i].thread == thread)
            return &f->all[i];
    if (rank < 0 || rank >= f->ranks || !f->wanted[rank] || f->n == MAX_FLOWS)
        return NULL;
    f->all = sched_grow(f->all, f->n + 1, sizeof *f->all);
    f->all[f->n] = (struct flow){.rank = rank, .thread = thread};
    return &f->all[f->n++];
}

static struct shown *shown_of(struct flows *f, int rank, int64_t number)
{
    for (size_t i = 0; i < f->n; i++)
        for (int k = 0; f->all[i].rank == rank && f->all[i].thread == number >> THREAD_BITS && k < f->all[i].n; k++)
            if (f->all[i].calls[k].number == number)
                return &f->all[i].calls[k];
    return NULL;
}

/* Nothing that is further from the end would be shown. */
static bool is_full(const struct flows *f)
{
    size_t full = 0, wanted = 0;
    for (size_t i = 0; i < f->n; i++)
        full += f->all[i].n == MAX_CALLS || f->all[i].n == f->all[i].all;
    for (int i = 0; i < f->ranks; i++)
        wanted += f->wanted[i];
    return !f->threads && full == wanted;
}

static bool is_site(const struct flows *f, int rank, const char *call, const char *file, json_int_t line)
{
    size_t i;
    json_t *site;
    json_array_foreach (json_object_get(f->finding, "sites"), i, site) {
        const json_t *its = json_object_get(site, "rank");
        const char *name = json_string_value(json_object_get(site, "call")), *at = json_string_value(json_object_get(site, "file"));
        if ((json_is_null(its) || json_integer_value(its) == rank) && name && call && strcmp(name, call) == 0 && at && file && strcmp(at, file) == 0 &&
            json_integer_value(json_object_get(site, "line")) == line)
            return true;
    }
    return false;
}

/* Columns: id, rank, number, thread, function, label, file, line, the program's function. */
static void add_call(struct flows *f, sqlite3_stmt *row)
{
    int rank = sqlite3_column_int(row, 1);
    int64_t number = sqlite3_column_int64(row, 2);
    struct flow *flow = flow_of(f, rank, sqlite3_column_int64(row, 3));
    if (!flow || flow->n == MAX_CALLS)
        return;
    if (flow->n == 0)
        flow->all = (number & ((INT64_C(1) << THREAD_BITS) - 1)) + 1;
    const char *file = text_of(row, 6), *label = text_of(row, 5);
    struct shown *call = &flow->calls[flow->n++];
    *call = (struct shown){.position = sqlite3_column_int64(row, 0), .number = number, .text = sched_strdup(label ? label : "an MPI call"),
                           .location = sched_sarif_location(file, sqlite3_column_int64(row, 7), text_of(row, 8), NULL),
                           .essential = is_site(f, rank, text_of(row, 4), file, sqlite3_column_int64(row, 7))};
}

static void add_calls(struct flows *f)
{
    sqlite3_stmt *node = ask(f, "SELECT n.first_call, n.end_call FROM path p JOIN node n ON n.id = p.node WHERE p.interleaving = ? ORDER BY p.depth DESC", f->interleaving, 0);
    while (next(node)) {
        sqlite3_stmt *call = ask(f, "SELECT c.id, c.rank, c.number, k.thread, k.function, k.label, s.file, s.line, s.function FROM call c JOIN kind k ON k.id = c.kind"
                                    " LEFT JOIN site s ON s.id = k.site WHERE c.id >= ? AND c.id < ? ORDER BY c.id DESC",
                                 sqlite3_column_int64(node, 0), sqlite3_column_int64(node, 1));
        while (!is_full(f) && next(call))
            add_call(f, call);
        sqlite3_finalize(call);
        if (is_full(f))
            break;
    }
    sqlite3_finalize(node);
}

/* ---- what became of them ---- */

__attribute__((format(printf, 2, 3))) static void add_text(struct shown *call, const char *format, ...)
{
    char *more, *longer;
    va_list args;
    va_start(args, format);
    if (vasprintf(&more, format, args) < 0)
        more = NULL;
    va_end(args);
    longer = sched_format("%s; %s", call->text, (char *)sched_must(more));
    free(more);
    free(call->text);
    call->text = longer;
}

static void tell_matches(struct flows *f)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < f->n; i++)
        if (f->all[i].n && f->all[i].calls[f->all[i].n - 1].position < first)
            first = f->all[i].calls[f->all[i].n - 1].position;
    /* match.call: how many calls were known by then. */
    sqlite3_stmt *match = ask(f, "SELECT m.send_rank, m.send, m.receive_rank, m.receive FROM path p JOIN node n ON n.id = p.node JOIN match m"
                                 " ON m.id >= n.first_match AND m.id < n.end_match WHERE p.interleaving = ? AND n.end_call > ? AND m.send IS NOT NULL",
                              f->interleaving, first);
    while (next(match)) {
        int from = sqlite3_column_int(match, 0), to = sqlite3_column_int(match, 2);
        struct shown *send = shown_of(f, from, sqlite3_column_int64(match, 1)), *receive = shown_of(f, to, sqlite3_column_int64(match, 3));
        if (send)
            add_text(send, "goes to rank %d", to);
        if (receive)
            add_text(receive, "gets the message of rank %d", from);
    }
    sqlite3_finalize(match);
}

static void tell_choices(struct flows *f)
{
    sqlite3_stmt *choice = ask(f, "SELECT h.rank, h.number, h.alternatives FROM path p JOIN choice h ON h.node = p.node WHERE p.interleaving = ?", f->interleaving, 0);
    while (next(choice)) {
        struct shown *call = shown_of(f, sqlite3_column_int(choice, 0), sqlite3_column_int64(choice, 1));
        int alternatives = sqlite3_column_int(choice, 2);
        if (!call || call->choice || alternatives < 2)
            continue;
        call->choice = call->essential = true;
        add_text(call, "there were %d alternatives", alternatives);
    }
    sqlite3_finalize(choice);
}

static void tell_waiting(struct flows *f)
{
    sqlite3_stmt *waiting = ask(f, "SELECT rank, number, finished, polling, needs, ranks FROM waiting WHERE interleaving = ?", f->interleaving, 0);
    while (next(waiting)) {
        struct shown *call = shown_of(f, sqlite3_column_int(waiting, 0), sqlite3_column_int64(waiting, 1));
        if (!call || sqlite3_column_int(waiting, 2))
            continue;
        const char *needs = text_of(waiting, 4), *ranks = text_of(waiting, 5), *verb = sqlite3_column_int(waiting, 3) ? "polls" : "waits";
        call->essential = true;
        if (needs && ranks && *ranks)
            add_text(call, "%s for ever for %s%s %s", verb, strcmp(needs, "any") == 0 && strchr(ranks, ' ') ? "any of " : "", strchr(ranks, ' ') ? "ranks" : "rank", ranks);
        else
            add_text(call, "%s for ever", verb);
    }
    sqlite3_finalize(waiting);
}

/* ---- as JSON ---- */

static json_t *call_json(const struct shown *call)
{
    json_object_set_new(call->location, "message", sched_sarif_message(call->text));
    json_t *kinds = call->choice ? json_pack("[s, s]", "call", "branch") : json_pack("[s]", "call");
    return json_pack("{s:O, s:o, s:I, s:s}", "location", call->location, "kinds", kinds, "executionOrder", (json_int_t)call->position, "importance",
                     call->essential ? "essential" : "important");
}

static json_t *flow_json(const struct flow *flow)
{
    json_t *locations = json_array();
    for (int i = flow->n; i-- > 0;)
        json_array_append_new(locations, call_json(&flow->calls[i]));
    char *name = flow->thread ? sched_format("rank %d, thread %" PRId64, flow->rank, flow->thread) : sched_format("rank %d", flow->rank);
    char *text = flow->all > flow->n ? sched_format("%s: its last %d of %" PRId64 " calls", name, flow->n, flow->all) : sched_strdup(name);
    json_t *json = json_pack("{s:s, s:o, s:o}", "id", name, "message", sched_sarif_message(text), "locations", locations);
    free(text);
    free(name);
    return json;
}

static int by_rank(const void *one, const void *other)
{
    const struct flow *a = one, *b = other;
    return a->rank != b->rank ? (a->rank > b->rank) - (a->rank < b->rank) : (a->thread > b->thread) - (a->thread < b->thread);
}

static json_t *flows_json(struct flows *f)
{
    json_t *all = json_array();
    qsort(f->all, f->n, sizeof *f->all, by_rank);
    for (size_t i = 0; i < f->n; i++)
        json_array_append_new(all, flow_json(&f->all[i]));
    const char *name = json_string_value(json_object_get(f->finding, "interleaving"));
    char *text = sched_format("interleaving %s%s", name, json_is_true(json_object_get(f->finding, "buffered")) ? " with buffered sends" : "");
    json_t *flow = json_pack("{s:o, s:o}", "message", sched_sarif_message(text), "threadFlows", all);
    free(text);
    return flow;
}

/* ---- which ranks ---- */

static void want(struct flows *f, const json_t *rank, int *left)
{
    json_int_t r = json_is_integer(rank) ? json_integer_value(rank) : -1;
    if (r < 0 || r >= f->ranks || f->wanted[r] || *left == 0)
        return;
    f->wanted[r] = true;
    (*left)--;
}

/* Those that the finding names, and then the first ones. */
static void want_ranks(struct flows *f)
{
    int left = MAX_FLOWS;
    size_t i;
    json_t *rank, *site;
    json_array_foreach (json_object_get(f->finding, "ranks"), i, rank)
        want(f, rank, &left);
    json_array_foreach (json_object_get(f->finding, "sites"), i, site)
        want(f, json_object_get(site, "rank"), &left);
    for (int r = 0; r < f->ranks && left > 0; r++)
        if (!f->wanted[r]) {
            f->wanted[r] = true;
            left--;
        }
}

static bool find_interleaving(struct flows *f)
{
    const char *name = json_string_value(json_object_get(f->finding, "interleaving"));
    sqlite3_stmt *statement = name ? ask(f, "SELECT id FROM interleaving WHERE buffered = ? AND name = ?2", json_is_true(json_object_get(f->finding, "buffered")), 0) : NULL;
    if (statement)
        sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
    bool found = next(statement);
    f->interleaving = found ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    statement = found ? ask(f, "SELECT 1 FROM kind WHERE thread > 0 LIMIT 1", 0, 0) : NULL;
    f->threads = next(statement);
    sqlite3_finalize(statement);
    return found;
}

static void finish(struct flows *f)
{
    for (size_t i = 0; i < f->n; i++)
        for (int k = 0; k < f->all[i].n; k++) {
            json_decref(f->all[i].calls[k].location);
            free(f->all[i].calls[k].text);
        }
    free(f->all);
    free(f->wanted);
}

json_t *sched_sarif_flow(const struct sched_report *report, const json_t *finding)
{
    struct flows f = {.report = report, .finding = finding, .ranks = (int)json_integer_value(json_object_get(report->result, "ranks"))};
    if (!report->trace || !find_interleaving(&f))
        return NULL;
    f.wanted = sched_alloc((size_t)f.ranks, sizeof *f.wanted);
    want_ranks(&f);
    add_calls(&f);
    tell_matches(&f);
    tell_choices(&f);
    tell_waiting(&f);
    json_t *json = f.n ? flows_json(&f) : NULL;
    finish(&f);
    return json;
}

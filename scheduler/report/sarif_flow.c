/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interleaving that showed a finding, from the trace: what each rank called last, in the order in which isp came to know of it. A run may have
 * a million calls: the path to its end is read from the end, and each rank shows a few. Findings of one interleaving often follow each other: it is read once for them.
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
    char *function; /* of MPI */
    char *file;
    int64_t line;
    json_t *location;
    char *text;     /* the call, and what became of it */
    bool waits;     /* for ever */
    bool choice;
};

/* A thread of a rank. */
struct flow {
    int rank;
    int64_t thread, all; /* calls that it made */
    struct shown calls[MAX_CALLS]; /* the last one first */
    int n;
};

struct sched_sarif_flows {
    const struct sched_report *report;
    int64_t interleaving; /* that was read last; 0: none */
    bool *wanted; /* by rank */
    int ranks;
    bool threads; /* there are other threads than main ones */
    struct flow *all;
    size_t n;
};

/* ---- asking the trace ---- */

/* NULL if the trace cannot answer that; the report then goes without. */
static sqlite3_stmt *ask(const struct sched_sarif_flows *f, const char *sql, int64_t one, int64_t two)
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

static struct flow *flow_of(struct sched_sarif_flows *f, int rank, int64_t thread)
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

static struct shown *shown_of(struct sched_sarif_flows *f, int rank, int64_t number)
{
    for (size_t i = 0; i < f->n; i++)
        for (int k = 0; f->all[i].rank == rank && f->all[i].thread == number >> THREAD_BITS && k < f->all[i].n; k++)
            if (f->all[i].calls[k].number == number)
                return &f->all[i].calls[k];
    return NULL;
}

/* Nothing that is further from the end would be shown. */
static bool is_full(const struct sched_sarif_flows *f)
{
    size_t full = 0, wanted = 0;
    for (size_t i = 0; i < f->n; i++)
        full += f->all[i].n == MAX_CALLS || f->all[i].n == f->all[i].all;
    for (int i = 0; i < f->ranks; i++)
        wanted += f->wanted[i];
    return !f->threads && full == wanted;
}

/* Columns: id, rank, number, thread, function, label, file, line, the program's function. */
static void add_call(struct sched_sarif_flows *f, sqlite3_stmt *row)
{
    int rank = sqlite3_column_int(row, 1);
    int64_t number = sqlite3_column_int64(row, 2);
    struct flow *flow = flow_of(f, rank, sqlite3_column_int64(row, 3));
    if (!flow || flow->n == MAX_CALLS)
        return;
    if (flow->n == 0)
        flow->all = (number & ((INT64_C(1) << THREAD_BITS) - 1)) + 1;
    const char *function = text_of(row, 4), *label = text_of(row, 5), *file = text_of(row, 6);
    flow->calls[flow->n++] = (struct shown){
        .position = sqlite3_column_int64(row, 0), .number = number, .function = sched_strdup(function ? function : ""), .file = sched_strdup(file ? file : ""),
        .line = sqlite3_column_int64(row, 7), .text = sched_strdup(label ? label : "an MPI call"),
        .location = sched_sarif_location(file, sqlite3_column_int64(row, 7), text_of(row, 8), NULL)};
}

/* The interleaving's nodes, the last one first: first_call, end_call, first_match, end_match. */
static sqlite3_stmt *nodes(const struct sched_sarif_flows *f)
{
    return ask(f, "SELECT n.first_call, n.end_call, n.first_match, n.end_match FROM path p JOIN node n ON n.id = p.node WHERE p.interleaving = ? ORDER BY p.depth DESC",
               f->interleaving, 0);
}

static void add_calls(struct sched_sarif_flows *f)
{
    sqlite3_stmt *node = nodes(f);
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

/* The first call, as isp came to know of them, that is shown. */
static int64_t first_shown(const struct sched_sarif_flows *f)
{
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < f->n; i++)
        if (f->all[i].calls[f->all[i].n - 1].position < first)
            first = f->all[i].calls[f->all[i].n - 1].position;
    return first;
}

/* match.call is the last call that was known by then: matches before the first call that is shown are of no interest. */
static void tell_matches(struct sched_sarif_flows *f)
{
    int64_t first = first_shown(f);
    sqlite3_stmt *node = nodes(f);
    for (bool more = true; more && next(node);) {
        sqlite3_stmt *match = ask(f, "SELECT send_rank, send, receive_rank, receive, call FROM match WHERE id >= ? AND id < ? ORDER BY id DESC",
                                  sqlite3_column_int64(node, 2), sqlite3_column_int64(node, 3));
        while (more && next(match)) {
            more = sqlite3_column_int64(match, 4) >= first;
            if (sqlite3_column_type(match, 1) == SQLITE_NULL)
                continue;
            int from = sqlite3_column_int(match, 0), to = sqlite3_column_int(match, 2);
            struct shown *send = shown_of(f, from, sqlite3_column_int64(match, 1)), *receive = shown_of(f, to, sqlite3_column_int64(match, 3));
            if (send)
                add_text(send, "goes to rank %d", to);
            if (receive)
                add_text(receive, "gets the message of rank %d", from);
        }
        sqlite3_finalize(match);
    }
    sqlite3_finalize(node);
}

static void tell_choices(struct sched_sarif_flows *f)
{
    sqlite3_stmt *choice = ask(f, "SELECT h.rank, h.number, h.alternatives FROM path p JOIN choice h ON h.node = p.node WHERE p.interleaving = ?", f->interleaving, 0);
    while (next(choice)) {
        struct shown *call = shown_of(f, sqlite3_column_int(choice, 0), sqlite3_column_int64(choice, 1));
        int alternatives = sqlite3_column_int(choice, 2);
        if (!call || call->choice || alternatives < 2)
            continue;
        call->choice = true;
        add_text(call, "there were %d alternatives", alternatives);
    }
    sqlite3_finalize(choice);
}

static void tell_waiting(struct sched_sarif_flows *f)
{
    sqlite3_stmt *waiting = ask(f, "SELECT rank, number, finished, polling, needs, ranks FROM waiting WHERE interleaving = ?", f->interleaving, 0);
    while (next(waiting)) {
        struct shown *call = shown_of(f, sqlite3_column_int(waiting, 0), sqlite3_column_int64(waiting, 1));
        if (!call || sqlite3_column_int(waiting, 2))
            continue;
        const char *needs = text_of(waiting, 4), *ranks = text_of(waiting, 5), *verb = sqlite3_column_int(waiting, 3) ? "polls" : "waits";
        call->waits = true;
        if (needs && ranks && *ranks)
            add_text(call, "%s for ever for %s%s %s", verb, strcmp(needs, "any") == 0 && strchr(ranks, ' ') ? "any of " : "", strchr(ranks, ' ') ? "ranks" : "rank", ranks);
        else
            add_text(call, "%s for ever", verb);
    }
    sqlite3_finalize(waiting);
}

/* ---- as JSON ---- */

static bool is_site(const struct shown *call, int rank, const json_t *finding)
{
    size_t i;
    json_t *site;
    json_array_foreach (json_object_get(finding, "sites"), i, site) {
        const json_t *its = json_object_get(site, "rank");
        const char *name = json_string_value(json_object_get(site, "call")), *file = json_string_value(json_object_get(site, "file"));
        if ((json_is_null(its) || json_integer_value(its) == rank) && name && strcmp(name, call->function) == 0 && file && strcmp(file, call->file) == 0 &&
            json_integer_value(json_object_get(site, "line")) == call->line)
            return true;
    }
    return false;
}

static json_t *call_json(const struct shown *call, bool essential)
{
    json_object_set_new(call->location, "message", sched_sarif_message(call->text));
    json_t *kinds = call->choice ? json_pack("[s, s]", "call", "branch") : json_pack("[s]", "call");
    return json_pack("{s:O, s:o, s:I, s:s}", "location", call->location, "kinds", kinds, "executionOrder", (json_int_t)call->position, "importance",
                     essential ? "essential" : "important");
}

static json_t *flow_json(const struct flow *flow, const json_t *finding)
{
    json_t *locations = json_array();
    for (int i = flow->n; i-- > 0;) {
        const struct shown *call = &flow->calls[i];
        json_array_append_new(locations, call_json(call, call->waits || call->choice || is_site(call, flow->rank, finding)));
    }
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

static json_t *flows_json(const struct sched_sarif_flows *f, const json_t *finding)
{
    json_t *all = json_array();
    for (size_t i = 0; i < f->n; i++)
        json_array_append_new(all, flow_json(&f->all[i], finding));
    const char *name = json_string_value(json_object_get(finding, "interleaving"));
    char *text = sched_format("interleaving %s%s", name, json_is_true(json_object_get(finding, "buffered")) ? " with buffered sends" : "");
    json_t *flow = json_pack("{s:o, s:o}", "message", sched_sarif_message(text), "threadFlows", all);
    free(text);
    return flow;
}

/* ---- reading an interleaving ---- */

static void want(const struct sched_sarif_flows *f, bool *wanted, const json_t *rank, int *left)
{
    json_int_t r = json_is_integer(rank) ? json_integer_value(rank) : -1;
    if (r < 0 || r >= f->ranks || wanted[r] || *left == 0)
        return;
    wanted[r] = true;
    (*left)--;
}

/* By rank: those that the finding names, and then the first ones. */
static bool *wanted_by(const struct sched_sarif_flows *f, const json_t *finding)
{
    bool *wanted = sched_alloc((size_t)f->ranks, sizeof *wanted);
    int left = MAX_FLOWS;
    size_t i;
    json_t *rank, *site;
    json_array_foreach (json_object_get(finding, "ranks"), i, rank)
        want(f, wanted, rank, &left);
    json_array_foreach (json_object_get(finding, "sites"), i, site)
        want(f, wanted, json_object_get(site, "rank"), &left);
    for (int r = 0; r < f->ranks && left > 0; r++) {
        left -= !wanted[r];
        wanted[r] = true;
    }
    return wanted;
}

/* Its id, or 0. */
static int64_t interleaving_of(const struct sched_sarif_flows *f, const json_t *finding)
{
    const char *name = json_string_value(json_object_get(finding, "interleaving"));
    sqlite3_stmt *statement = name ? ask(f, "SELECT id FROM interleaving WHERE buffered = ? AND name = ?", json_is_true(json_object_get(finding, "buffered")), 0) : NULL;
    if (statement)
        sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
    int64_t id = next(statement) ? sqlite3_column_int64(statement, 0) : 0;
    sqlite3_finalize(statement);
    return id;
}

static void forget(struct sched_sarif_flows *f)
{
    for (size_t i = 0; i < f->n; i++)
        for (int k = 0; k < f->all[i].n; k++) {
            struct shown *call = &f->all[i].calls[k];
            json_decref(call->location);
            free(call->function);
            free(call->file);
            free(call->text);
        }
    f->n = 0;
}

/* `wanted` is taken. */
static void read_interleaving(struct sched_sarif_flows *f, int64_t interleaving, bool *wanted)
{
    forget(f);
    free(f->wanted);
    f->wanted = wanted;
    f->interleaving = interleaving;
    add_calls(f);
    tell_matches(f);
    tell_choices(f);
    tell_waiting(f);
    if (f->n)
        qsort(f->all, f->n, sizeof *f->all, by_rank);
}

struct sched_sarif_flows *sched_sarif_flows_create(const struct sched_report *report)
{
    struct sched_sarif_flows *f = sched_alloc(1, sizeof *f);
    *f = (struct sched_sarif_flows){.report = report, .ranks = (int)json_integer_value(json_object_get(report->result, "ranks"))};
    sqlite3_stmt *thread = report->trace ? ask(f, "SELECT 1 FROM kind WHERE thread > 0 LIMIT 1", 0, 0) : NULL;
    f->threads = next(thread);
    sqlite3_finalize(thread);
    return f;
}

void sched_sarif_flows_destroy(struct sched_sarif_flows *f)
{
    if (!f)
        return;
    forget(f);
    free(f->all);
    free(f->wanted);
    free(f);
}

json_t *sched_sarif_flow(struct sched_sarif_flows *f, const json_t *finding)
{
    int64_t interleaving = f->report->trace ? interleaving_of(f, finding) : 0;
    if (!interleaving)
        return NULL;
    bool *wanted = wanted_by(f, finding);
    if (interleaving == f->interleaving && memcmp(wanted, f->wanted, (size_t)f->ranks * sizeof *wanted) == 0)
        free(wanted);
    else
        read_interleaving(f, interleaving, wanted);
    return f->n ? flows_json(f, finding) : NULL;
}

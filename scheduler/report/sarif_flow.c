/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interleaving that showed a finding, from the trace: what each rank called last, in the order in which
 * isp came to know of it. A run may have a million calls: the path to its end is read from the end, and each
 * rank shows a few. Findings of one interleaving often follow each other: it is read once for them.
 */
#include "sarif_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "findings/findings.h"
#include "trace/places.h"
#include "trace/query.h"

enum { MAX_FLOWS = 16, MAX_CALLS = 20 };

struct shown {
    int64_t position, number;
    char *function; /* of MPI */
    char *file;
    int64_t line;
    json_t *location;
    char *text; /* the call, and what became of it */
    bool waits; /* for ever */
    bool choice;
};

/* A thread of a rank. */
struct flow {
    int rank;
    int64_t thread, all;           /* calls that it made */
    struct shown calls[MAX_CALLS]; /* the last one first */
    int n;
};

struct sched_sarif_flows {
    struct sched_asked asked;
    int64_t interleaving; /* that was read last; -1: none */
    struct node *nodes;   /* of its end: those that have calls which are shown; the last one first */
    size_t n_nodes;
    bool *wanted; /* by rank */
    int ranks;
    bool threads; /* there are other threads than main ones */
    struct flow *all;
    size_t n;
};

/* What ranks did between two decisions: rows of the trace's tables. */
struct node {
    int64_t id, parent, depth, first_call, end_call, first_match, end_match;
};

/* ---- asking the trace ---- */

/* A question with at most two numbers. */
static sqlite3_stmt *ask(struct sched_sarif_flows *f, const char *sql, int64_t one, int64_t two)
{
    sqlite3_stmt *query = sched_query(&f->asked, sql);
    if (query)
        sched_query_begin(query, sqlite3_bind_parameter_count(query), (const int64_t[]){one, two});
    return query;
}

static bool next(struct sched_sarif_flows *f, sqlite3_stmt *query)
{
    return sched_query_next(&f->asked, query);
}

static int64_t number_of(sqlite3_stmt *query, int column) { return sched_query_number(query, column, -1); }

/* False: there is none. Depths fall on the way to the root, so that the way has an end whatever the trace
 * says. */
static bool next_node(struct sched_sarif_flows *f, int64_t id, int64_t below, struct node *node)
{
    sqlite3_stmt *query = ask(f,
                              "SELECT id, parent, depth, first_call, end_call, first_match, end_match "
                              "FROM node WHERE id = ? AND depth < ?",
                              id, below);
    bool there = next(f, query);
    if (there)
        *node =
            (struct node){number_of(query, 0), number_of(query, 1), number_of(query, 2), number_of(query, 3),
                          number_of(query, 4), number_of(query, 5), number_of(query, 6)};
    sqlite3_finalize(query);
    return there;
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
        for (int k = 0;
             f->all[i].rank == rank && f->all[i].thread == sched_places_thread(number) && k < f->all[i].n;
             k++)
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
    int rank = (int)number_of(row, 1);
    int64_t number = number_of(row, 2), line = number_of(row, 7);
    struct flow *flow = flow_of(f, rank, number_of(row, 3));
    if (!flow || flow->n == MAX_CALLS)
        return;
    if (flow->n == 0)
        flow->all = sched_places_index(number) + 1;
    const char *function = sched_query_text(row, 4), *label = sched_query_text(row, 5),
               *file = sched_query_text(row, 6);
    flow->calls[flow->n++] =
        (struct shown){.position = number_of(row, 0),
                       .number = number,
                       .function = sched_strdup(function ? function : ""),
                       .file = sched_strdup(file ? file : ""),
                       .line = line,
                       .text = sched_strdup(label ? label : "an MPI call"),
                       .location = sched_sarif_location(file, line, sched_query_text(row, 8), NULL)};
}

static void add_calls(struct sched_sarif_flows *f, const struct node *node)
{
    sqlite3_stmt *call =
        ask(f,
            "SELECT c.id, c.rank, c.number, k.thread, k.function, k.label, s.file, s.line, s.function "
            "FROM call c JOIN kind k ON k.id = c.kind LEFT JOIN site s ON s.id = k.site WHERE c.id >= ? "
            "AND c.id < ? ORDER BY c.id DESC",
            node->first_call, node->end_call);
    while (!is_full(f) && next(f, call))
        add_call(f, call);
    sqlite3_finalize(call);
}

/* From its end, whose node this is. */
static void add_nodes(struct sched_sarif_flows *f, int64_t id)
{
    struct node node;
    for (int64_t below = INT64_MAX; !is_full(f) && next_node(f, id, below, &node);
         id = node.parent, below = node.depth) {
        f->nodes = sched_grow(f->nodes, f->n_nodes + 1, sizeof *f->nodes);
        f->nodes[f->n_nodes++] = node;
        add_calls(f, &node);
    }
}

/* ---- what became of them ---- */

__attribute__((format(printf, 2, 3))) static void add_text(struct shown *call, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *more = sched_format_list(format, args);
    va_end(args);
    char *longer = sched_format("%s; %s", call->text, more);
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

/* match.call is the last call that was known by then: matches before the first call that is shown are of no
 * interest. */
static void tell_matches(struct sched_sarif_flows *f, const struct node *node, int64_t first)
{
    sqlite3_stmt *match = ask(f,
                              "SELECT send_rank, send, receive_rank, receive, call FROM match WHERE id >= ? "
                              "AND id < ? ORDER BY id DESC",
                              node->first_match, node->end_match);
    while (next(f, match) && number_of(match, 4) >= first) {
        int from = (int)number_of(match, 0), to = (int)number_of(match, 2);
        struct shown *send = shown_of(f, from, number_of(match, 1)),
                     *receive = shown_of(f, to, number_of(match, 3));
        if (send)
            add_text(send, "goes to rank %d", to);
        if (receive)
            add_text(receive, "gets the message of rank %d", from);
    }
    sqlite3_finalize(match);
}

static void tell_choice(struct sched_sarif_flows *f, const struct node *node)
{
    sqlite3_stmt *choice =
        ask(f, "SELECT rank, number, alternatives FROM choice WHERE node = ?", node->id, 0);
    if (next(f, choice)) {
        struct shown *call = shown_of(f, (int)number_of(choice, 0), number_of(choice, 1));
        int alternatives = (int)number_of(choice, 2);
        if (call && !call->choice && alternatives > 1) {
            call->choice = true;
            add_text(call, "there were %d alternatives", alternatives);
        }
    }
    sqlite3_finalize(choice);
}

static void tell_waiting(struct sched_sarif_flows *f)
{
    sqlite3_stmt *waiting =
        ask(f, "SELECT rank, number, finished, polling, needs, ranks FROM waiting WHERE interleaving = ?",
            f->interleaving, 0);
    while (next(f, waiting)) {
        struct shown *call = shown_of(f, (int)number_of(waiting, 0), number_of(waiting, 1));
        if (!call || number_of(waiting, 2) == 1)
            continue;
        const char *needs = sched_query_text(waiting, 4), *ranks = sched_query_text(waiting, 5),
                   *verb = number_of(waiting, 3) == 1 ? "polls" : "waits";
        call->waits = true;
        if (needs && ranks && *ranks)
            add_text(call, "%s for ever for %s%s %s", verb,
                     strcmp(needs, "any") == 0 && strchr(ranks, ' ') ? "any of " : "",
                     strchr(ranks, ' ') ? "ranks" : "rank", ranks);
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
        const char *name = json_string_value(json_object_get(site, "call")),
                   *file = json_string_value(json_object_get(site, "file"));
        if ((json_is_null(its) || json_integer_value(its) == rank) && name &&
            strcmp(name, call->function) == 0 && file && strcmp(file, call->file) == 0 &&
            json_integer_value(json_object_get(site, "line")) == call->line)
            return true;
    }
    return false;
}

static json_t *call_json(const struct shown *call, bool essential)
{
    json_object_set_new(call->location, "message", sched_sarif_message(call->text));
    json_t *kinds = call->choice ? json_pack("[s, s]", "call", "branch") : json_pack("[s]", "call");
    return json_pack("{s:O, s:o, s:I, s:s}", "location", call->location, "kinds", kinds, "executionOrder",
                     (json_int_t)call->position, "importance", essential ? "essential" : "important");
}

static json_t *thread_flow(const char *name, const char *text, json_t *locations)
{
    return json_pack("{s:s, s:o, s:o}", "id", name, "message", sched_sarif_message(text), "locations",
                     locations);
}

static json_t *flow_json(const struct flow *flow, const json_t *finding)
{
    json_t *locations = json_array();
    for (int i = flow->n; i-- > 0;) {
        const struct shown *call = &flow->calls[i];
        json_array_append_new(
            locations, call_json(call, call->waits || call->choice || is_site(call, flow->rank, finding)));
    }
    char *name = flow->thread ? sched_format("rank %d, thread %" PRId64, flow->rank, flow->thread)
                              : sched_format("rank %d", flow->rank);
    char *text = flow->all > flow->n
                     ? sched_format("%s: its last %d of %" PRId64 " calls", name, flow->n, flow->all)
                     : sched_strdup(name);
    json_t *json = thread_flow(name, text, locations);
    free(text);
    free(name);
    return json;
}

/* ---- how a rank ends ---- */

static bool has_died(struct sched_sarif_flows *f)
{
    sqlite3_stmt *query =
        ask(f, "SELECT 1 FROM interleaving WHERE id = ? AND ending = 'died'", f->interleaving, 0);
    bool died = next(f, query);
    sqlite3_finalize(query);
    return died;
}

static bool is_in_trace(struct sched_sarif_flows *f, int64_t rank, const char *file, int64_t line)
{
    sqlite3_stmt *query = ask(f,
                              "SELECT 1 FROM site s JOIN kind k ON k.site = s.id "
                              "JOIN call c ON c.kind = k.id WHERE c.rank = ? AND s.line = ? AND s.file = ?",
                              rank, line);
    if (query)
        sqlite3_bind_text(query, 3, file, -1, SQLITE_STATIC);
    bool there = next(f, query);
    sqlite3_finalize(query);
    return there;
}

/* A call that isp did not let MPI see, or that ended its rank, is not in the trace; where a rank died of the
 * finding it is the last one. */
static bool is_last(struct sched_sarif_flows *f, const json_t *finding, const json_t *site)
{
    const char *file = json_string_value(json_object_get(site, "file"));
    const json_t *rank = json_object_get(site, "rank");
    enum isp_rule rule = sched_rule_find(json_string_value(json_object_get(finding, "rule")));
    bool is_death = sched_rule_group(rule) == ISP_RULE_GROUP_CRASHES;
    bool is_call = json_is_string(json_object_get(site, "call")) && !sched_rule_is_leak(rule);
    return (is_death || is_call) && file && json_is_integer(rank) && has_died(f) &&
           !is_in_trace(f, json_integer_value(rank), file, json_integer_value(json_object_get(site, "line")));
}

static void add_end(struct sched_sarif_flows *f, const json_t *finding, json_t *flows)
{
    const json_t *site = json_array_get(json_object_get(finding, "sites"), 0);
    if (!is_last(f, finding, site))
        return;
    char *name = sched_format("rank %d", (int)json_integer_value(json_object_get(site, "rank")));
    json_t *place = sched_sarif_location(json_string_value(json_object_get(site, "file")),
                                         json_integer_value(json_object_get(site, "line")),
                                         json_string_value(json_object_get(site, "function")),
                                         json_string_value(json_object_get(finding, "message")));
    json_t *end = json_pack("{s:o, s:s}", "location", place, "importance", "essential"), *locations = NULL;
    for (size_t i = 0; i < json_array_size(flows) && !locations; i++)
        if (strcmp(json_string_value(json_object_get(json_array_get(flows, i), "id")), name) == 0)
            locations = json_object_get(json_array_get(flows, i), "locations");
    if (locations)
        json_array_append_new(locations, end);
    else
        json_array_append_new(flows, thread_flow(name, name, json_pack("[o]", end)));
    free(name);
}

static int by_rank(const void *one, const void *other)
{
    const struct flow *a = one, *b = other;
    return a->rank != b->rank ? (a->rank > b->rank) - (a->rank < b->rank)
                              : (a->thread > b->thread) - (a->thread < b->thread);
}

static json_t *flows_json(struct sched_sarif_flows *f, const json_t *finding)
{
    json_t *all = json_array();
    for (size_t i = 0; i < f->n; i++)
        json_array_append_new(all, flow_json(&f->all[i], finding));
    add_end(f, finding, all);
    const char *name = json_string_value(json_object_get(finding, "interleaving"));
    char *text =
        sched_format("interleaving %s%s", name,
                     json_is_true(json_object_get(finding, "buffered")) ? " with buffered sends" : "");
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
    f->n = f->n_nodes = 0;
}

/* Of this id, with this node at its end. `wanted` is taken. */
static void read_interleaving(struct sched_sarif_flows *f, int64_t id, int64_t node, bool *wanted)
{
    forget(f);
    free(f->wanted);
    f->wanted = wanted;
    f->interleaving = id;
    add_nodes(f, node);
    int64_t first = first_shown(f);
    for (size_t i = 0; i < f->n_nodes; i++) {
        tell_matches(f, &f->nodes[i], first);
        tell_choice(f, &f->nodes[i]);
    }
    tell_waiting(f);
    if (f->n)
        qsort(f->all, f->n, sizeof *f->all, by_rank);
}

struct sched_sarif_flows *sched_sarif_flows_create(const struct sched_report *report)
{
    struct sched_sarif_flows *f = sched_alloc(1, sizeof *f);
    *f = (struct sched_sarif_flows){.asked = {.trace = report->trace},
                                    .interleaving = -1,
                                    .ranks =
                                        (int)json_integer_value(json_object_get(report->result, "ranks"))};
    sqlite3_stmt *thread = report->trace ? ask(f, "SELECT 1 FROM kind WHERE thread > 0 LIMIT 1", 0, 0) : NULL;
    f->threads = next(f, thread);
    sqlite3_finalize(thread);
    return f;
}

bool sched_sarif_flows_destroy(struct sched_sarif_flows *f)
{
    bool well = !f->asked.damaged;
    forget(f);
    free(f->all);
    free(f->nodes);
    free(f->wanted);
    free(f);
    return well;
}

json_t *sched_sarif_flow(struct sched_sarif_flows *f, const json_t *finding)
{
    int64_t node, id = f->asked.trace ? sched_query_finding(&f->asked, finding, &node) : -1;
    if (id < 0)
        return NULL;
    bool *wanted = wanted_by(f, finding);
    if (id == f->interleaving && memcmp(wanted, f->wanted, (size_t)f->ranks * sizeof *wanted) == 0)
        free(wanted);
    else
        read_interleaving(f, id, node, wanted);
    return f->n ? flows_json(f, finding) : NULL;
}

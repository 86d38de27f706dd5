/* SPDX-License-Identifier: BSD-3-Clause */
/* One interleaving after the other is read from the trace and written. Those that are merged have no place in
 * the format: it knows whole ones only. */
#include "isp_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "base/say.h"
#include "isp/call.h"
#include "sequence.h"

enum { LOG_ANY = -1 };

struct log {
    const struct sched_report *report;
    FILE *out;
    struct sched_past past;
    struct sched_sequence sequence;
    unsigned interleaving; /* from 1 */
};

/* ---- a transition ---- */

static const char *send_name(const struct sched_past_kind *k, bool waits)
{
    const char *mode = k->mode ? k->mode : "";
    if (strcmp(mode, "synchronous") == 0)
        return waits ? "Ssend" : "Issend";
    if (strcmp(mode, "ready") == 0)
        return waits ? "Rsend" : "Irsend";
    if (strcmp(mode, "buffered") == 0)
        return waits ? "Bsend" : "Ibsend";
    return waits ? "Send" : "Isend";
}

static const char *completion_name(const struct sched_past_call *c, bool polls)
{
    const char *mode = c->kind->mode ? c->kind->mode : "";
    if (strcmp(mode, "any") == 0)
        return polls ? "Testany" : "Waitany";
    if (strcmp(mode, "some") == 0)
        return polls ? "Testsome" : "Waitsome";
    return c->n_requests == 1 ? (polls ? "Test" : "Wait") : polls ? "Testall" : "Waitall";
}

/* What the call does: the old ISP knew neither MPI_Sendrecv nor MPI_Start as such. */
static const char *function_name(const struct sched_past_call *c)
{
    bool waits = c->kind->flags & ISP_F_FENCE, polls = c->kind->flags & ISP_F_POLL;
    if (sched_past_is(c, "send"))
        return send_name(c->kind, waits);
    if (sched_past_is(c, "receive"))
        return waits ? "Recv" : "Irecv";
    if (sched_past_is(c, "probe"))
        return polls ? "Iprobe" : "Probe";
    if (sched_past_is(c, "complete"))
        return completion_name(c, polls);
    const char *name = c->kind->function ? c->kind->function : "MPI_Unknown";
    return strncmp(name, "MPI_", 4) == 0 ? name + 4 : name;
}

static int64_t known(int64_t number) { return number < 0 ? LOG_ANY : number; }

static void write_arguments(const struct log *l, const struct sched_past_call *c)
{
    const struct sched_past_kind *k = c->kind;
    if (sched_past_is(c, "send") || sched_past_is(c, "receive") || sched_past_is(c, "probe"))
        fprintf(l->out, " %" PRId64 " %" PRId64 " %" PRId64, known(k->peer), known(k->tag), known(k->comm));
    else if (sched_past_is(c, "collective"))
        fprintf(l->out, " %" PRId64 " %" PRId64, known(k->comm), known(k->root));
    else if (sched_past_is(c, "complete") || sched_past_is(c, "cancel") || sched_past_is(c, "free")) {
        fprintf(l->out, " %d", (int)c->n_requests);
        for (int32_t i = 0; i < c->n_requests; i++) {
            int32_t request = l->past.list[c->first_request + i];
            fprintf(l->out, " %d", request < 0 ? LOG_ANY : (int)l->sequence.index[request]);
        }
    }
}

static void write_place(const struct log *l, const char *file, int64_t line)
{
    char *name = sched_escape(file ? file : "?", "");
    fprintf(l->out, " File: %zu %s %" PRId64 "\n", strlen(name), name, file ? line : 0);
    free(name);
}

/* The other half of a message; collectives are known by their orders. */
static int32_t partner(const struct log *l, int32_t call)
{
    int32_t at = l->past.calls[call].match;
    if (at < 0 || l->past.matches[at].send < 0)
        return -1;
    const struct sched_past_match *m = &l->past.matches[at];
    return m->send == call ? m->receive : m->send;
}

static void write_transition(const struct log *l, int32_t call)
{
    const struct sched_past_call *c = &l->past.calls[call];
    const struct sched_sequence *s = &l->sequence;
    fprintf(l->out, "%u %" PRId64 " %d %d %s", l->interleaving, c->rank, (int)s->index[call],
            (int)s->order[call], function_name(c));
    write_arguments(l, c);
    fputs(" {", l->out);
    for (int32_t i = s->first[call]; i < s->first[call + 1]; i++)
        fprintf(l->out, " %d", (int)s->index[s->next[i]]);
    int32_t other = partner(l, call);
    fprintf(l->out, " } { } Match: %" PRId64 " %d", other < 0 ? -1 : l->past.calls[other].rank,
            other < 0 ? -1 : (int)s->index[other]);
    write_place(l, c->kind->file, c->kind->line);
}

/* ---- leaks ---- */

static bool is_here(const struct log *l, const json_t *finding)
{
    const char *name = json_string_value(json_object_get(finding, "interleaving"));
    return name && l->past.name && strcmp(name, l->past.name) == 0 &&
           json_is_true(json_object_get(finding, "buffered")) == l->past.buffered;
}

/* A line for each rank, after its last transition. */
static void write_leak(const struct log *l, const json_t *finding, const char *resource, int32_t *next_index)
{
    const json_t *site = json_array_get(json_object_get(finding, "sites"), 0), *each;
    size_t i;
    json_array_foreach (json_object_get(finding, "ranks"), i, each) {
        json_int_t rank = json_integer_value(each);
        if (rank < 0 || rank >= l->sequence.ranks)
            continue;
        fprintf(l->out, "%u %lld %d -1 Leak %s { } { } Match: -1 -1", l->interleaving, (long long)rank,
                (int)next_index[rank]++, resource);
        write_place(l, json_string_value(json_object_get(site, "file")),
                    json_integer_value(json_object_get(site, "line")));
    }
}

static void write_leaks(const struct log *l)
{
    int32_t *next_index = sched_alloc((size_t)l->sequence.ranks, sizeof *next_index);
    for (int64_t rank = 0; rank < l->sequence.ranks; rank++)
        next_index[rank] = l->sequence.rank_first[rank + 1] - l->sequence.rank_first[rank];
    size_t i;
    const json_t *finding;
    json_array_foreach (json_object_get(l->report->result, "findings"), i, finding) {
        const char *rule = json_string_value(json_object_get(finding, "rule"));
        if (rule && strncmp(rule, "leak-", 5) == 0 && is_here(l, finding))
            write_leak(l, finding, rule + 5, next_index);
    }
    free(next_index);
}

/* ---- the log ---- */

/* Of collectives that do not fit, those that are different ones; roots or types that differ are no
 * deadlock. */
static bool is_deadlock(const struct log *l)
{
    const char *ending = l->past.ending ? l->past.ending : "";
    size_t i;
    const json_t *finding;
    if (strcmp(ending, "mismatch") == 0)
        json_array_foreach (json_object_get(l->report->result, "findings"), i, finding) {
            const char *rule = json_string_value(json_object_get(finding, "rule"));
            if (rule && strcmp(rule, "collective-mismatch") == 0)
                return true;
        }
    return strcmp(ending, "deadlock") == 0;
}

static void write_interleaving(struct log *l)
{
    sched_sequence_init(&l->sequence, &l->past);
    for (int32_t i = 0; i < l->sequence.rank_first[l->sequence.ranks]; i++)
        write_transition(l, l->sequence.by_rank[i]);
    write_leaks(l);
    if (is_deadlock(l))
        fprintf(l->out, "%u DEADLOCK\n", l->interleaving);
    sched_sequence_finish(&l->sequence);
}

static void tell_left_out(struct sched_asked *asked)
{
    sqlite3_stmt *query = sched_query(asked, "SELECT count(*), total(stands_for) FROM joined");
    int64_t n = sched_query_next(asked, query) ? sched_query_number(query, 0, 0) : 0;
    if (n)
        sched_say("--isp-log: the log has whole interleavings only, not the %.0f that %" PRId64
                  " merged run%s for; --merge=off runs each",
                  sqlite3_column_double(query, 1), n, n == 1 ? " stands" : "s stand");
    sqlite3_finalize(query);
}

bool sched_report_isp_log(const struct sched_report *report, FILE *out)
{
    struct sched_asked asked = {.trace = report->trace};
    struct log log = {.report = report, .out = out};
    sched_past_init(&log.past, &asked);
    fprintf(out, "%lld\n", (long long)json_integer_value(json_object_get(report->result, "ranks")));
    sqlite3_stmt *query = sched_query(
        &asked, "SELECT id FROM interleaving WHERE ending IS NOT 'redundant' AND ending IS NOT 'merged' "
                "ORDER BY buffered, id");
    while (!ferror(out) && sched_query_next(&asked, query)) {
        log.interleaving++;
        if (sched_past_read(&log.past, sched_query_number(query, 0, -1)))
            write_interleaving(&log);
    }
    sqlite3_finalize(query);
    sched_past_finish(&log.past);
    tell_left_out(&asked);
    return sched_query_well(&asked, out);
}

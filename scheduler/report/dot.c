/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A column for each rank with its calls; within it what must complete before what, between the columns
 * messages, collectives, and who waits for whom. Of long runs the ends are shown: there it is seen what went
 * wrong, and Graphviz would not end with more.
 */
#include "dot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "sequence.h"

enum { MOST_CALLS = 400, LEAST_OF_A_RANK = 4 };

struct graph {
    FILE *out;
    struct sched_past past;
    struct sched_sequence sequence;
    const json_t *finding; /* or NULL */
    bool *shown;           /* of each call */
    int32_t *last;         /* of each rank: its last call that is shown, or -1 */
};

/* ---- text ---- */

/* Within a quoted string. */
static void write_text(FILE *out, const char *text)
{
    char *plain = sched_escape(text, "");
    for (const char *p = plain; *p; p++) {
        if (*p == '"' || *p == '\\')
            fputc('\\', out);
        fputc(*p, out);
    }
    free(plain);
}

static void write_name(const struct graph *g, int32_t call)
{
    fprintf(g->out, "r%" PRId64 "_%d", g->past.calls[call].rank, (int)g->sequence.index[call]);
}

static void write_edge(const struct graph *g, int32_t from, int32_t to, const char *attributes)
{
    if (!g->shown[from] || !g->shown[to])
        return;
    fputs("  ", g->out);
    write_name(g, from);
    fputs(" -> ", g->out);
    write_name(g, to);
    fprintf(g->out, " [%s];\n", attributes);
}

/* ---- which calls ---- */

static void choose_calls(struct graph *g)
{
    const struct sched_sequence *s = &g->sequence;
    int64_t each = s->ranks ? MOST_CALLS / s->ranks : 0;
    each = each < LEAST_OF_A_RANK ? LEAST_OF_A_RANK : each;
    g->shown = sched_alloc((size_t)g->past.n_calls, sizeof *g->shown);
    g->last = sched_alloc((size_t)s->ranks, sizeof *g->last);
    for (int64_t rank = 0; rank < s->ranks; rank++) {
        int32_t begin = s->rank_first[rank], end = s->rank_first[rank + 1];
        g->last[rank] = end > begin ? s->by_rank[end - 1] : -1;
        for (int32_t i = end - begin > each ? end - (int32_t)each : begin; i < end; i++)
            g->shown[s->by_rank[i]] = true;
    }
}

static bool is_stuck(const struct graph *g, int32_t call)
{
    for (int32_t i = 0; i < g->past.n_waiting; i++)
        if (g->past.waiting[i].call == call && !g->past.waiting[i].finished)
            return true;
    return false;
}

/* ---- nodes ---- */

static void write_call(const struct graph *g, int32_t call)
{
    const struct sched_past_kind *k = g->past.calls[call].kind;
    fputs("    ", g->out);
    write_name(g, call);
    fputs(" [label=\"", g->out);
    write_text(g->out, k->label ? k->label : "?");
    if (k->file) {
        fputs("\\n", g->out);
        write_text(g->out, k->file);
        fprintf(g->out, ":%" PRId64, k->line);
    }
    fprintf(g->out, "\"%s];\n",
            is_stuck(g, call)             ? ", color=\"#c00000\", penwidth=2"
            : g->sequence.order[call] < 0 ? ", style=dashed"
                                          : "");
}

static void write_rank(const struct graph *g, int64_t rank)
{
    const struct sched_sequence *s = &g->sequence;
    int32_t before = -1, hidden = 0;
    fprintf(g->out, "  subgraph cluster_%" PRId64 " {\n    label=\"rank %" PRId64 "\";\n", rank, rank);
    for (int32_t i = s->rank_first[rank]; i < s->rank_first[rank + 1]; i++)
        if (g->shown[s->by_rank[i]])
            write_call(g, s->by_rank[i]);
        else
            hidden++;
    if (hidden)
        fprintf(g->out, "    r%" PRId64 "_before [label=\"%d calls before\", shape=plaintext];\n", rank,
                (int)hidden);
    for (int32_t i = s->rank_first[rank]; i < s->rank_first[rank + 1]; i++) {
        int32_t call = s->by_rank[i];
        if (!g->shown[call])
            continue;
        fprintf(g->out, "    r%" PRId64, rank); /* keeps the column in program order */
        if (before >= 0 || hidden) {
            fprintf(g->out, before >= 0 ? "_%d" : "_before", before >= 0 ? (int)s->index[before] : 0);
            fprintf(g->out, " -> r%" PRId64 "_%d [style=invis, weight=10];\n", rank, (int)s->index[call]);
        } else {
            fprintf(g->out, "_%d;\n", (int)s->index[call]);
        }
        before = call;
    }
    fputs("  }\n", g->out);
}

/* ---- edges ---- */

static void write_order(const struct graph *g)
{
    for (int32_t i = 0; i < g->past.n_calls; i++)
        for (int32_t k = g->sequence.first[i]; k < g->sequence.first[i + 1]; k++)
            write_edge(g, i, g->sequence.next[k], "color=gray50");
}

static void write_matches(const struct graph *g)
{
    for (int32_t i = 0; i < g->past.n_matches; i++) {
        const struct sched_past_match *m = &g->past.matches[i];
        if (m->send >= 0)
            write_edge(g, m->send, m->receive, "color=\"#0050c0\", constraint=false");
        for (int32_t k = 1; k < m->n_members; k++)
            write_edge(g, g->past.list[m->first_member + k - 1], g->past.list[m->first_member + k],
                       "color=\"#008040\", constraint=false, dir=none");
    }
}

static void write_waiting(const struct graph *g)
{
    for (int32_t i = 0; i < g->past.n_waiting; i++) {
        const struct sched_past_waiting *w = &g->past.waiting[i];
        if (w->finished || w->call < 0)
            continue;
        for (int32_t k = 0; k < w->n_ranks; k++) {
            int32_t rank = g->past.list[w->first_rank + k];
            if (rank >= 0 && rank < g->sequence.ranks && g->last[rank] >= 0)
                write_edge(g, w->call, g->last[rank],
                           w->any
                               ? "color=\"#c00000\", style=dotted, constraint=false, label=\"waits for any\""
                               : "color=\"#c00000\", style=dashed, constraint=false, label=\"waits for\"");
        }
    }
}

/* ---- the graph ---- */

static void write_title(const struct graph *g)
{
    const char *message = json_string_value(json_object_get(g->finding, "message"));
    fputs("  label=\"", g->out);
    if (message)
        write_text(g->out, message);
    fprintf(g->out, "%sinterleaving ", message ? "\\n" : "");
    write_text(g->out, g->past.name ? g->past.name : "?");
    fputs(g->past.buffered ? ", with buffered sends" : "", g->out);
    if (g->past.joins) {
        fputs("\\nfrom here on as in interleaving ", g->out);
        write_text(g->out, g->past.joins);
        fprintf(g->out, " from its decision %" PRId64 " on: that is %" PRId64 " interleavings",
                g->past.decision + 1, g->past.stands_for);
    }
    fputs("\";\n", g->out);
}

static void write_graph(struct graph *g)
{
    sched_sequence_init(&g->sequence, &g->past);
    choose_calls(g);
    fputs("digraph isp {\n", g->out);
    write_title(g);
    fputs("  labelloc=t;\n  fontname=\"sans-serif\";\n  node [shape=box, fontname=\"sans-serif\", "
          "fontsize=10];\n"
          "  edge [fontname=\"sans-serif\", fontsize=9];\n",
          g->out);
    for (int64_t rank = 0; rank < g->sequence.ranks; rank++)
        write_rank(g, rank);
    write_order(g);
    write_matches(g);
    write_waiting(g);
    fputs("}\n", g->out);
    free(g->shown);
    free(g->last);
    sched_sequence_finish(&g->sequence);
}

/* The interleaving of the first error or warning that has one, or else the first one; -1: there is none. */
static int64_t find_interleaving(struct sched_asked *asked, const json_t *result, const json_t **of)
{
    size_t i;
    const json_t *finding;
    json_array_foreach (json_object_get(result, "findings"), i, finding) {
        const char *severity = json_string_value(json_object_get(finding, "severity"));
        int64_t id =
            severity && strcmp(severity, "note") == 0 ? -1 : sched_query_finding(asked, finding, NULL);
        if (id < 0)
            continue;
        *of = finding;
        return id;
    }
    return sched_query_interleaving(asked, NULL, false, NULL);
}

bool sched_report_dot(const struct sched_report *report, FILE *out)
{
    struct sched_asked asked = {.trace = report->trace};
    struct graph graph = {.out = out};
    sched_past_init(&graph.past, &asked);
    int64_t id = find_interleaving(&asked, report->result, &graph.finding);
    if (id >= 0 && sched_past_read(&graph.past, id))
        write_graph(&graph);
    else
        fputs("digraph isp {\n}\n", out);
    sched_past_finish(&graph.past);
    return sched_query_well(&asked, out);
}

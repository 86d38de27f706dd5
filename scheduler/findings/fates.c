/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs have shown a finding, and which have not: what the fate of each (fate.h) is told. */
#include "table.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/count.h"

void sched_findings_begin_run(struct sched_findings *findings) { findings->run++; }

size_t sched_findings_spans(const struct sched_findings *findings, const struct sched_span **spans)
{
    *spans = findings->spans;
    return findings->n_spans;
}

void sched_findings_add_span(struct sched_findings *findings, const struct sched_span *span)
{
    findings->spans = sched_grow(findings->spans, findings->n_spans + 1, sizeof *findings->spans);
    findings->spans[findings->n_spans++] =
        (struct sched_span){span->buffered, sched_strdup(span->first), sched_strdup(span->last)};
}

static void meet_spans(struct sched_finding *f, const struct sched_findings *of)
{
    for (size_t i = 0; i < of->n_spans; i++)
        if (of->spans[i].buffered == f->buffered) {
            sched_fate_meet(f->fate, f->interleaving, of->spans[i].first);
            sched_fate_meet(f->fate, f->interleaving, of->spans[i].last);
        }
}

/* The runs before it did not show it. */
static void begin_fate(struct sched_findings *findings, struct sched_finding *f,
                       const struct sched_path *path)
{
    unsigned from = 0;
    const char *other;
    f->fate = sched_fate_create();
    meet_spans(f, findings);
    sched_fate_parting(f->fate, f->interleaving, &from, &other);
    f->fate->path = sched_path_copy(path, from);
}

static void extend_spans(struct sched_findings *findings, const struct sched_run_end *end)
{
    struct sched_span *last = findings->n_spans ? &findings->spans[findings->n_spans - 1] : NULL;
    if (!last || end->walk) {
        sched_findings_add_span(findings,
                                &(struct sched_span){end->buffered, (char *)end->name, (char *)end->name});
        return;
    }
    free(last->last);
    last->last = sched_strdup(end->name);
}

static const struct sched_below *find_below(const struct sched_run_end *end, const struct sched_finding *f)
{
    for (size_t i = 0; i < end->n_below; i++)
        if (end->below[i].finding == f)
            return &end->below[i];
    return NULL;
}

/* The run has counted as one. */
static void add_count(struct sched_finding *f, uint64_t more)
{
    if (!sched_rule_is_leak(f->rule))
        f->count = sched_count_sum(f->count, more);
}

static void end_shown(struct sched_findings *findings, struct entry *e, const struct sched_run_end *end)
{
    struct sched_finding *f = &e->finding;
    uint64_t times = end->stands_for ? end->stands_for : 1;
    if (!e->before)
        begin_fate(findings, f, end->path);
    if (!end->counts)
        return;
    add_count(f, times - 1);
    if (f->fate)
        f->fate->shown = sched_count_sum(f->fate->shown, times);
}

static void end_below(struct sched_finding *f, const struct sched_below *below)
{
    add_count(f, below->interleavings);
    if (!f->fate)
        return;
    f->fate->shown = sched_count_sum(f->fate->shown, below->interleavings);
    if (below->without && !f->fate->after)
        sched_fate_meet(f->fate, f->interleaving, below->without);
}

void sched_findings_each_since(const struct sched_findings *findings, size_t logged,
                               void (*see)(struct sched_finding *finding, void *data), void *data)
{
    for (size_t i = 0; i < findings->n; i++) {
        struct entry *e = findings->entries[i];
        if (e->run == findings->run && e->logged > logged &&
            sched_rule_severity(e->finding.rule) != ISP_SEVERITY_NOTE)
            see(&e->finding, data);
    }
}

void sched_findings_each_shown(const struct sched_findings *findings,
                               void (*see)(const struct sched_finding *finding, void *data), void *data)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct entry *e = findings->entries[i];
        if (e->run == findings->run && sched_rule_severity(e->finding.rule) != ISP_SEVERITY_NOTE)
            see(&e->finding, data);
    }
}

void sched_findings_end_run(struct sched_findings *findings, const struct sched_run_end *end)
{
    sched_findings_order_matches(findings);
    for (size_t i = 0; i < findings->n; i++) {
        struct entry *e = findings->entries[i];
        struct sched_finding *f = &e->finding;
        bool shown = e->run == findings->run;
        if (!f->interleaving || f->buffered != end->buffered || e->hidden ||
            sched_rule_severity(f->rule) == ISP_SEVERITY_NOTE)
            continue;
        const struct sched_below *below = shown ? NULL : find_below(end, f);
        if (shown)
            end_shown(findings, e, end);
        else if (below)
            end_below(f, below);
        else if (end->finished && f->fate && (end->walk || !f->fate->after))
            sched_fate_meet(f->fate, f->interleaving, end->name);
    }
    if (end->finished)
        extend_spans(findings, end);
}

static struct sched_finding *find_any(const struct sched_findings *findings, const char *const *keys,
                                      size_t n_keys)
{
    struct entry *e = sched_findings_any(findings, keys, n_keys);
    return e ? &e->finding : NULL;
}

/* The later one's part has shown the finding as well. Before its first run there, its runs have not. */
static void meet_later(struct sched_finding *early, const struct sched_finding *late,
                       const struct sched_findings *of)
{
    struct sched_moment first = {late->buffered, late->interleaving};
    for (size_t i = 0; i < of->n_spans; i++) {
        const struct sched_span *span = &of->spans[i];
        if (span->buffered != early->buffered)
            continue;
        if (sched_moment_compare((struct sched_moment){span->buffered, span->first}, first) < 0)
            sched_fate_meet(early->fate, early->interleaving, span->first);
        if (sched_moment_compare((struct sched_moment){span->buffered, span->last}, first) < 0)
            sched_fate_meet(early->fate, early->interleaving, span->last);
    }
    if (early->buffered != late->buffered)
        return;
    early->fate->shown = sched_count_sum(early->fate->shown, late->fate->shown);
    if (late->fate->after)
        sched_fate_meet(early->fate, early->interleaving, late->fate->after);
}

struct meeting {
    struct sched_findings *findings, *more;
};

static bool meet_one(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *context)
{
    struct meeting *m = context;
    struct sched_finding *theirs = find_any(m->more, keys, n_keys),
                         *mine = find_any(m->findings, keys, n_keys);
    if (!theirs || !theirs->fate || (mine && !mine->fate))
        return true;
    if (!mine)
        meet_spans(theirs, m->findings);
    else if (sched_moment_compare((struct sched_moment){mine->buffered, mine->interleaving},
                                  (struct sched_moment){theirs->buffered, theirs->interleaving}) < 0)
        meet_later(mine, theirs, m->more);
    else
        meet_later(theirs, mine, m->findings);
    return true;
}

static bool meet_unknown(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *context)
{
    struct meeting *m = context;
    struct sched_finding *mine = find_any(m->findings, keys, n_keys);
    if (mine && mine->fate && !find_any(m->more, keys, n_keys))
        meet_spans(mine, m->more);
    return true;
}

void sched_findings_meet(struct sched_findings *findings, struct sched_findings *more)
{
    struct meeting m = {findings, more};
    sched_findings_each(more, false, meet_one, &m);
    sched_findings_each(findings, false, meet_unknown, &m);
    for (size_t i = 0; i < more->n_spans; i++)
        sched_findings_add_span(findings, &more->spans[i]);
}

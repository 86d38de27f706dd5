/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * At MPI_Finalize every nonblocking operation must have been completed (Wait, a successful Test) or freed.
 * Where its handle was lost, since the program got another request in the same variable, that call is to
 * blame (request-reuse); else the one that made it (missing-wait).
 */
#include "requests.h"

#include <stdlib.h>

#include "isp/functions.h"
#include "base/alloc.h"

static char *tell(const struct sched_run *run, const struct poe_transition *t)
{
    const char *what = t->cancelled ? "is cancelled, but not waited for"
                       : t->held    ? "was never ready"
                       : t->matched ? "has matched, but is not waited for"
                                    : "has not matched";
    return sched_strdup(what);
}

/* Its request may be given back: not that of a collective, an access to a window or a file, says the
 * standard. */
static bool may_be_freed(const struct sched_group *g)
{
    const struct isp_call *call = &g->members[0]->call;
    bool is_message = call->op == ISP_OP_SEND || call->op == ISP_OP_RECV || call->op == ISP_OP_JOIN;
    return is_message && isp_fn_scope((enum isp_fn)g->fn) == ISP_SCOPE_COMM;
}

static void report_missing_wait(struct sched_run *run, const struct sched_group *g)
{
    struct sched_draft *d = sched_group_draft(run, g, ISP_RULE_MISSING_WAIT, tell);
    sched_draft_message(d,
                        "the request of this %s is never completed: no MPI_Wait, no MPI_Test that succeeds%s",
                        isp_fn_name((enum isp_fn)g->fn), may_be_freed(g) ? ", no MPI_Request_free" : "");
    sched_draft_end(d);
}

/* ---- overwritten requests ---- */

static const struct sched_overwritten *find(const struct sched_run *run, const struct poe_transition *t)
{
    for (size_t i = 0; i < run->n_overwritten; i++)
        if (run->overwritten[i].rank == t->rank && run->overwritten[i].handle == t->call.handle)
            return &run->overwritten[i];
    return NULL;
}

static bool is_same_call(const struct sched_run *run, const struct sched_overwritten *a,
                         const struct sched_overwritten *b)
{
    return a->fn == b->fn && sched_sites_are_alike(run->sites, a->site, b->site, run->options->stacks);
}

/* The call that is to blame. In a loop that puts each request over the one before the last one has the same
 * cause. */
static const struct sched_overwritten *cause(const struct sched_run *run, const struct sched_group *g,
                                             const struct poe_transition *t)
{
    const struct sched_overwritten *own = find(run, t);
    for (size_t i = 0; i < g->n && !own; i++) {
        const struct sched_overwritten *other =
            g->members[i]->rank == t->rank ? find(run, g->members[i]) : NULL;
        if (other && other->fn == g->fn && other->site == t->call.site)
            own = other;
    }
    return own;
}

/* The rank's first of these that is at this place. */
static bool is_new(const struct sched_overwritten *const *by, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (by[k]->rank == by[i]->rank && by[k]->site == by[i]->site)
            return false;
    return true;
}

/* by: what overwrites the member's. */
static void report_overwritten(struct sched_run *run, const struct sched_group *g,
                               const struct sched_overwritten *const *by)
{
    struct sched_draft *d = sched_draft_create(run, ISP_RULE_REQUEST_REUSE);
    for (size_t i = 0; i < g->n; i++) {
        const struct poe_transition *t = g->members[i];
        sched_draft_row(d, t->rank, &t->call, tell(run, t));
        if (is_new(by, i))
            sched_draft_site(d, t->rank, by[i]->fn, by[i]->site);
    }
    for (size_t i = 0; i < g->n; i++)
        if (sched_group_is_new(g, i))
            sched_draft_at(d, g->members[i]);
    sched_draft_message(d, "%s overwrites the handle of an active request, which is never completed",
                        isp_fn_name((enum isp_fn)by[0]->fn));
    sched_draft_key(d, "%s", sched_rule_id(ISP_RULE_REQUEST_REUSE));
    sched_draft_key_call(d, by[0]->fn, by[0]->site);
    sched_draft_key_call(d, g->fn, g->members[0]->call.site);
    sched_draft_end(d);
}

/* One finding per call to blame; `causes` of the members are used up. */
static void report_by_cause(struct sched_run *run, const struct sched_group *g,
                            const struct sched_overwritten **causes)
{
    struct sched_group part = {.fn = g->fn, .members = sched_alloc(g->n, sizeof(void *))};
    const struct sched_overwritten **by = sched_alloc(g->n, sizeof *by);
    for (size_t i = 0; i < g->n; i++) {
        const struct sched_overwritten *first = causes[i];
        if (!first)
            continue;
        part.n = 0;
        for (size_t k = i; k < g->n; k++)
            if (causes[k] && is_same_call(run, causes[k], first)) {
                by[part.n] = causes[k];
                part.members[part.n++] = g->members[k];
                causes[k] = NULL;
            }
        report_overwritten(run, &part, by);
    }
    free(by);
    free(part.members);
}

void sched_check_missing_wait(struct sched_run *run, const struct sched_groups *operations)
{
    for (size_t i = 0; i < operations->n; i++) {
        const struct sched_group *g = &operations->groups[i];
        const struct sched_overwritten **causes = sched_alloc(g->n, sizeof *causes);
        struct sched_group kept = {.fn = g->fn, .members = sched_alloc(g->n, sizeof(void *))};
        for (size_t k = 0; k < g->n; k++) {
            causes[k] = cause(run, g, g->members[k]);
            if (!causes[k])
                kept.members[kept.n++] = g->members[k];
        }
        if (kept.n)
            report_missing_wait(run, &kept);
        report_by_cause(run, g, causes);
        free(kept.members);
        free(causes);
    }
}

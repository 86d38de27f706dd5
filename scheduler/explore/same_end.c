/* SPDX-License-Identifier: BSD-3-Clause */
#include "same_end.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "base/now.h"

enum { ENOUGH = 20 }; /* interleavings */
static const double ENOUGH_S = 10;

/* A run that shows it comes no further. Not what isp is not sure of (hang), nor what only buffering decides
 * (unsafe-buffering), where the exploration with buffered sends is still to come. */
static bool ends_run(enum isp_rule rule)
{
    switch (rule) {
    case ISP_RULE_DEADLOCK:
    case ISP_RULE_LIVELOCK:
    case ISP_RULE_COLLECTIVE_MISMATCH:
    case ISP_RULE_COLLECTIVE_ROOT_MISMATCH:
    case ISP_RULE_COLLECTIVE_OP_MISMATCH:
    case ISP_RULE_CRASH:
    case ISP_RULE_ABORT:
    case ISP_RULE_ASSERTION: return true;
    default: return false;
    }
}

char *sched_same_end(const struct sched_result *r)
{
    const struct sched_span *finished;
    struct sched_finding *const *all;
    if (!r->interleavings || r->buffered_interleavings || sched_findings_spans(r->findings, &finished))
        return NULL;
    size_t n = sched_findings_all(r->findings, &all);
    for (size_t i = 0; i < n && sched_rule_severity(all[i]->rule) == ISP_SEVERITY_ERROR; i++) {
        const struct sched_finding *f = all[i];
        if (!ends_run(f->rule) || !f->fate || f->fate->shown != r->interleavings)
            continue;
        const struct sched_location *at = sched_sites_headline(r->sites, f->n_sites ? f->sites[0].site : 0);
        const char *rule = sched_rule_id(f->rule);
        char *file = at->file && at->line ? sched_escape(at->file, "") : NULL;
        char *text = file ? sched_format("%s at %s:%d", rule, file, at->line) : sched_strdup(rule);
        free(file);
        return text;
    }
    return NULL;
}

char *sched_same_end_of_both(const struct sched_result *a, const struct sched_result *b)
{
    if (!sched_result_interleavings(a) || !sched_result_interleavings(b))
        return sched_same_end(sched_result_interleavings(a) ? a : b);
    char *one = sched_same_end(a), *other = one ? sched_same_end(b) : NULL;
    bool same = other && strcmp(one, other) == 0;
    free(other);
    if (!same)
        free(one);
    return same ? one : NULL;
}

bool sched_same_end_is_enough(const struct sched_options *o, uint64_t interleavings, double started_s)
{
    return !o->keep_going && interleavings >= ENOUGH && sched_now_s() - started_s >= ENOUGH_S;
}

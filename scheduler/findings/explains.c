/* SPDX-License-Identifier: BSD-3-Clause */
/* The finding that explains others comes before them. */
#include "table.h"

#include <string.h>

static bool shares_place(const struct sched_finding *a, const struct sched_finding *b)
{
    for (size_t i = 0; i < a->n_sites; i++)
        for (size_t k = 0; k < b->n_sites; k++)
            if (a->sites[i].site == b->sites[k].site && a->sites[i].fn == b->sites[k].fn)
                return true;
    return false;
}

/* An operation that nobody waits for stays pending: so what is done with its buffer later is wrong. */
static bool is_never_completed(const struct sched_finding *f)
{
    return f->rule == ISP_RULE_MISSING_WAIT || f->rule == ISP_RULE_REQUEST_REUSE;
}

static bool is_of_buffer(const struct sched_finding *f)
{
    return f->rule == ISP_RULE_SEND_BUFFER_MODIFIED || f->rule == ISP_RULE_RECEIVE_BUFFER_ACCESSED ||
           f->rule == ISP_RULE_BUFFER_OVERLAP;
}

/* A rank that has left early leaves others waiting for each other. */
static bool has_left(const struct sched_finding *f)
{
    return f->rule == ISP_RULE_DEADLOCK && f->cause && strncmp(f->cause, "waits", 5) == 0 &&
           strstr(f->cause, "(finished)");
}

static bool is_cycle(const struct sched_finding *f) { return f->cause && strncmp(f->cause, "cycle", 5) == 0; }

static bool explains(const struct sched_finding *a, const struct sched_finding *b)
{
    return (is_never_completed(a) && is_of_buffer(b) && shares_place(a, b)) || (has_left(a) && is_cycle(b));
}

void sched_findings_put_causes_first(struct sched_findings *findings)
{
    struct entry **e = findings->entries;
    for (size_t k = 1; k < findings->n; k++) {
        size_t at = 0;
        while (at < k && (e[at]->hidden || e[k]->hidden || !explains(&e[k]->finding, &e[at]->finding)))
            at++;
        struct entry *cause = e[k];
        memmove(&e[at + 1], &e[at], (k - at) * sizeof(struct entry *));
        e[at] = cause;
    }
}

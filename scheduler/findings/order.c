/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which matches show findings: in which one run makes them depends on time, so they come by
 * rank, in the places that they have; and of those at one place the first by rank is told. */
#include "table.h"

static bool was_shown_by_match(const struct sched_findings *findings, const struct entry *e)
{
    enum isp_rule rule = e->finding.rule;
    bool made_now = e->run == findings->run && !e->before;
    return made_now &&
           (rule == ISP_RULE_TYPE_MISMATCH || rule == ISP_RULE_TRUNCATION || rule == ISP_RULE_READY_SEND);
}

static int compare_ranks(const struct sched_finding *a, const struct sched_finding *b)
{
    for (size_t i = 0; i < a->n_sites && i < b->n_sites; i++)
        if (a->sites[i].rank != b->sites[i].rank)
            return a->sites[i].rank - b->sites[i].rank;
    return 0;
}

bool sched_findings_is_ahead(const struct sched_findings *findings, const struct entry *entry,
                             const struct sched_finding *finding)
{
    return was_shown_by_match(findings, entry) && compare_ranks(finding, &entry->finding) < 0;
}

/* Puts the entry at `k` among those before it. */
static void insert(struct sched_findings *findings, size_t k)
{
    struct entry **e = findings->entries;
    for (size_t before = k; before-- > 0;) {
        if (!was_shown_by_match(findings, e[before]))
            continue;
        if (compare_ranks(&e[before]->finding, &e[k]->finding) <= 0)
            return;
        struct entry *later = e[before];
        e[before] = e[k];
        e[k] = later;
        k = before;
    }
}

void sched_findings_order_matches(struct sched_findings *findings)
{
    for (size_t k = 1; k < findings->n; k++)
        if (was_shown_by_match(findings, findings->entries[k]))
            insert(findings, k);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "finding.h"

#include <stdlib.h>

#include "base/alloc.h"

struct sched_finding sched_finding_copy(const struct sched_finding *f)
{
    struct sched_finding c = *f;
    c.message = sched_strdup(f->message ? f->message : "");
    c.story = sched_strdup(f->story ? f->story : "");
    c.interleaving = f->interleaving ? sched_strdup(f->interleaving) : NULL;
    c.ranks = sched_copy(f->ranks, f->n_ranks * sizeof *f->ranks);
    c.sites = sched_copy(f->sites, f->n_sites * sizeof *f->sites);
    c.fate = sched_fate_copy(f->fate);
    c.kept = f->kept ? sched_strdup(f->kept) : NULL;
    c.cut = f->cut ? sched_strdup(f->cut) : NULL;
    c.cause = f->cause ? sched_strdup(f->cause) : NULL;
    return c;
}

void sched_finding_add_rank(struct sched_finding *f, int rank)
{
    size_t at = 0;
    while (at < f->n_ranks && f->ranks[at] < rank)
        at++;
    if (at < f->n_ranks && f->ranks[at] == rank)
        return;
    f->ranks = sched_grow(f->ranks, f->n_ranks + 1, sizeof *f->ranks);
    memmove(f->ranks + at + 1, f->ranks + at, (f->n_ranks - at) * sizeof *f->ranks);
    f->ranks[at] = rank;
    f->n_ranks++;
}

void sched_finding_finish(struct sched_finding *f)
{
    free(f->message);
    free(f->story);
    free(f->interleaving);
    free(f->ranks);
    free(f->sites);
    sched_fate_destroy(f->fate);
    free(f->kept);
    free(f->cut);
    free(f->cause);
}

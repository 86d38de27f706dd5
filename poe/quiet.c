/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ranks run: the others wait, or are gone. */
#include "poe.h"
#include "state.h"

void poe_quiet(struct poe *poe, int rank)
{
    struct poe_rank *r = &poe->ranks[rank];
    if (!r->quiet && !r->stopped)
        poe->running--;
    r->quiet = true;
}

void poe_runs(struct poe *poe, int rank)
{
    struct poe_rank *r = &poe->ranks[rank];
    if (r->quiet && !r->stopped)
        poe->running++;
    r->quiet = false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "cut.h"

void poe_cut_note(struct poe *poe, enum poe_cut_kind kind, const struct poe_op *at)
{
    if (poe->is_cut)
        return;
    poe->is_cut = true;
    poe->cut = (struct poe_cut){.kind = kind, .rank = at->t.rank, .call = at->t.call};
    poe->cut.call.list = NULL;
    poe->cut.call.n = 0;
}

const struct poe_cut *poe_first_cut(const struct poe *poe) { return poe->is_cut ? &poe->cut : NULL; }

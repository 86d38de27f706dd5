/* SPDX-License-Identifier: BSD-3-Clause */
/* What bounds of poe's own keep out of an exploration: the first place of a run. */
#ifndef POE_CUT_H
#define POE_CUT_H

#include "state.h"

void poe_cut_note(struct poe *poe, enum poe_cut_kind kind, const struct poe_op *at);

#endif

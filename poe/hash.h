/* SPDX-License-Identifier: BSD-3-Clause */
/* Two hashes of one sequence of numbers: 128 bits of a state (state_key.h). */
#ifndef POE_HASH_H
#define POE_HASH_H

#include "state.h"

struct poe_hash {
    uint64_t low, high;
    bool any_polls; /* whatever polls have failed (poe_situation_key) */
};

void poe_hash_add(struct poe_hash *h, uint64_t value);
/* `handles`: also the handles that it has or names. */
void poe_hash_call(struct poe_hash *h, const struct isp_call *call, bool handles);

#endif

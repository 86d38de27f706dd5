/* SPDX-License-Identifier: BSD-3-Clause */
/* What tells states apart only if something below depends on it (poe_state_key has the rest: states.h). */
#ifndef POE_STATE_KEY_H
#define POE_STATE_KEY_H

#include "state.h"

/* How many decisions were not first alternatives, as far as polls ask for that (poll.c). */
uint64_t poe_state_patience(const struct poe *poe);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel holds of the process, for its state. */
#ifndef PROF_STATE_OUTSIDE_H
#define PROF_STATE_OUTSIDE_H

#include "base/hash.h"

/* MPI has been initialized: what is there now is as in all states. */
void prof_state_outside_begin(void);
/* NULL, or why it cannot be known. */
const char *prof_state_outside(struct prof_hash *hash);

#endif

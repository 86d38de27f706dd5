/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a rank that waits in a fence, as 128 bits: two states of one launch with the same number
 * have the same future, as far as that depends on the rank. STATE.md says what belongs to it, and why the
 * rest does not.
 */
#ifndef PROF_STATE_H
#define PROF_STATE_H

#include "base/hash.h"

/* MPI has been initialized, and states may be asked for. */
void prof_state_begin(void);
/* Of this thread, which waits in a fence. NULL; or why it is not known, with *hash undefined. Nothing
 * changes. */
const char *prof_state_of_rank(struct prof_hash *hash);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a rank that waits in a fence, as 128 bits: two states of one launch with the same number
 * have the same future, as far as that depends on the rank. STATE.md says what belongs to it, and why the
 * rest does not.
 */
#ifndef PROF_STATE_H
#define PROF_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "isp/differs.h"
#include "outside/caller.h"

/* MPI has been initialized, and states may be asked for. */
void prof_state_begin(void);
/* What the last state was made of. */
extern struct prof_state_made {
    struct prof_hash parts[ISP_PARTS]; /* by enum isp_state_part */
    const void *site;                  /* where the program's innermost frame stands */
    struct prof_caller caller;
} prof_state_made;

/* Of this thread, which waits in a fence. NULL; or why it is not known, with *hash undefined. Nothing
 * changes. */
const char *prof_state_of_rank(struct prof_hash *hash);
/* Adds the memory of the program alone, whose frames lie from `stack` on, without what is ignored. False: it
 * is not known. */
bool prof_state_of_program(uint64_t *value, uintptr_t stack, const struct prof_ignored *ignored);

#endif

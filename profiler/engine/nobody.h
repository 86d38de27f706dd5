/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocking calls with MPI_PROC_NULL: there is nothing to match and nothing to wait for, so they make no
 * record. Where they are is told once, with whatever is told next: if another rank waits for such a message,
 * that may be why. */
#ifndef PROF_NOBODY_H
#define PROF_NOBODY_H

#include "kept/operation.h"

/* e->peer is MPI_PROC_NULL, and e was checked. */
void prof_nobody_tell(enum prof_op_kind kind, const struct prof_envelope *e);

#endif

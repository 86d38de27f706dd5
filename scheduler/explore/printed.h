/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program prints in the interleavings that a reader looks at: those of findings, and the first one.
 * From a checkpoint on an interleaving prints only what is new in it, and when that arrives nobody knows
 * whose it is; so each of them is run once more from its beginning.
 */
#ifndef SCHED_PRINTED_H
#define SCHED_PRINTED_H

#include "explore.h"

/* When the exploration is over. Adds it to the trace, if there is one, as far as that takes little time
 * beside the exploration. */
void sched_printed(struct sched_explore *x);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sends that one MPI_Startall starts come in the order of its array where their tags differ: others are
 * not run (profiler/calls/startall.h). MPI may start them in any order (MPI-4.0, 3.9). That can be told where
 * something takes one of them that accepts any tag, and could have had a later one instead.
 */
#ifndef POE_STARTALL_H
#define POE_STARTALL_H

#include "state.h"

/* The receive or probe has found the send. */
void poe_startall_found(struct poe *poe, struct poe_op *send, const struct poe_op *taker);
/* The send has come, and no receive takes it. */
void poe_startall_left(struct poe *poe, const struct poe_op *send);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Units of a partitioned message (isp_call_is_unit): messages of their own, by which single partitions arrive
 * before the whole. Both sides cut the message into units as far as each can know; where that comes out
 * differently no unit finds its like, and what waits for one waits for the whole.
 */
#ifndef POE_PARTITION_H
#define POE_PARTITION_H

#include "state.h"

/* What it asks for may be units: only MPI_Parrived does that. */
void poe_partition_asked(struct poe_op *complete);
/* A whole has matched: units that have none of their own are complete with it. */
void poe_partition_match(struct poe *poe, struct poe_op *send, struct poe_op *receive);

#endif

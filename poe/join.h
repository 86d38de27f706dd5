/* SPDX-License-Identifier: BSD-3-Clause */
/* One request over several messages (ISP_OP_JOIN): complete when all of them are. */
#ifndef POE_JOIN_H
#define POE_JOIN_H

#include "state.h"

/* The operations that it names are messages of the rank that nothing else refers to. */
bool poe_join_is_valid(struct poe *poe, int rank, const struct isp_call *call);
void poe_join_add(struct poe *poe, struct poe_op *join);
/* One of its operations is complete: it may be so itself. */
void poe_join_completed(struct poe *poe, struct poe_op *child);
/* The next of its operations that is not complete, after `child` (NULL: the first); NULL: no more. */
struct poe_op *poe_join_pending(const struct poe *poe, const struct poe_op *join, const struct poe_op *child);

#endif

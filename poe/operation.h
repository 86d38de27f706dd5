/* SPDX-License-Identifier: BSD-3-Clause */
/* Birth, queues and end of live operations. */
#ifndef POE_OPERATION_H
#define POE_OPERATION_H

#include "state.h"

/* A new operation of a rank, at the end of its live list; `call` is copied. */
struct poe_op *poe_op_create(struct poe *poe, int rank, const struct isp_call *call);
/* Takes it off its rank's list and slot; its memory stays readable until the next reap. */
void poe_op_bury(struct poe *poe, struct poe_op *op);
/* Buries it if it is done and consumed, and its rank does not wait in it. A collective's stays
 * until the collective is over, without its slot. */
void poe_op_bury_if_over(struct poe *poe, struct poe_op *op);
void poe_op_reap(struct poe *poe);
/* The live operation behind a handle, or NULL. */
struct poe_op *poe_op_find(struct poe *poe, int rank, uint32_t handle);

bool poe_op_is_wildcard(const struct poe_op *op); /* accepts several sources */
/* MPI_PROC_NULL: complete at once (if not held), never matched */
bool poe_op_is_local(const struct poe_op *op);
/* A send from the program's buffer that nobody has received. */
bool poe_op_is_undelivered(const struct poe_op *op);
/* A send whose completion does not wait for its receive. */
bool poe_op_is_buffered(const struct poe *poe, const struct poe_op *op);

#endif

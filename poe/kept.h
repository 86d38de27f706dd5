/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What MPI keeps: operations that it may complete early, and those of them that it does complete early in
 * this run. The standard leaves that to MPI for each operation by itself (MPI-4.0, 3.4, 3.5 and 6.14):
 *
 *   a standard or ready send       completes before its receive is there: its data is kept
 *                                  (a unit of a partitioned message always: no call waits for it)
 *   a member of a collective that  leaves as soon as the data that it needs is there (enum isp_flow)
 *   need not synchronize
 *   MPI_Buffer_detach              returns before the messages in the buffer are received: they are kept
 *                                  elsewhere
 *
 * With zero buffering it keeps none, with infinite buffering all; with mixed buffering those that poe_config
 * lists.
 */
#ifndef POE_KEPT_H
#define POE_KEPT_H

#include "state.h"

/* In a run with (infinite or mixed) buffering: MPI does not keep this one, so it waits as with zero
 * buffering. */
bool poe_kept_waits(const struct poe *poe, const struct poe_op *op);
/* Takes over the list of the configuration. */
void poe_kept_init(struct poe *poe, const struct poe_config *config);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives that synchronize no further than their data flows (enum isp_flow in isp/call.h): with buffered
 * sends the root of a broadcast leaves before anybody else has come, and a leaf of a reduction
 * before its root. Each member's call is a match set of its own here: what it makes possible, for itself
 * and for those that came before, fires with it.
 *
 * With zero buffering all of them synchronize; clocks then tell what the flow alone would have told.
 */
#ifndef POE_FLOW_H
#define POE_FLOW_H

#include "collective.h"

bool poe_flow_is_valid(const struct poe *poe, const struct poe_comm *comm, const struct isp_call *call);
/* How far a collective of this record synchronizes in this run. */
enum isp_flow poe_flow_of(const struct poe *poe, const struct isp_call *call);
/* A member of an instance that flows has called. */
void poe_flow_fire(struct poe *poe, struct poe_op *op);
/* What an operation of an instance knows by the data that it gets; a new reference. */
struct poe_clock *poe_flow_clock(struct poe *poe, const struct poe_instance *instance,
                                 const struct poe_op *op);
/* Whether it could complete before all members have called, with buffering. */
bool poe_flow_may_leave(const struct poe_op *op);
/* Whether the data that the operation needs is there: with buffering it would be complete. */
bool poe_flow_has_input(const struct poe_op *op);
/* The ranks that it needs data of, and that have not called. */
void poe_flow_missing(const struct poe_op *op, bool *wanted);

#endif

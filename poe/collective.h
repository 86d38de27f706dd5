/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives match per communicator, in call order: a rank's k-th collective call on a
 * communicator belongs to its k-th *instance*. One over a subset (MPI_Comm_create_group) is told
 * apart by its members and tag. Those that make communicators number them here.
 *
 * A blocking one without slot is nothing but a fence. One with a slot is an operation like a
 * message: its rank may have many pending (MPI_Ibarrier ...), and it is issued when its instance fires.
 */
#ifndef POE_COLLECTIVE_H
#define POE_COLLECTIVE_H

#include "communicator.h"
#include "instance.h"
#include "state.h"

/* Whether the rank may call it: it is a member, so are the ranks that it names; and it does not leave early
 * where others wait for all. */
bool poe_collective_is_valid(const struct poe *poe, int rank, const struct isp_call *call);
void poe_collective_join(struct poe *poe, struct poe_op *op);
enum poe_state poe_collective_fire(struct poe *poe, struct poe_instance *instance);
/* Members call different collectives. It is put aside until nothing else can move: so what is shown does not
 * depend on who came first. */
void poe_collective_clashes(struct poe *poe, struct poe_instance *instance);
/* Shows the first of those that were put aside. */
enum poe_state poe_collective_clash(struct poe *poe);
/* The ranks that have to call before the operation can go on. */
void poe_collective_missing(const struct poe_op *op, bool *wanted);
/* Whether both call the same. */
bool poe_collective_is_same(const struct isp_call *a, const struct isp_call *b);
/* Whether those that are there have called the same. */
bool poe_instance_agrees(const struct poe_instance *instance);
/* The key of a communicator that the leader's transition made: the same in every run. */
uint64_t poe_collective_key(const struct poe_comm *parent, const struct poe_op *leader);
void poe_instance_destroy(struct poe *poe, struct poe_instance *instance);

#endif

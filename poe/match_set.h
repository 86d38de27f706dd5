/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Match sets: finding the deterministic ones as transitions come in, and firing them one by one
 * (POE's big-step moves: all that one match set causes is issued together).
 */
#ifndef POE_MATCH_SET_H
#define POE_MATCH_SET_H

#include "communicator.h"
#include "state.h"

/* Looks for the deterministic match that a new send, receive or probe makes possible. */
void poe_match_send(struct poe *poe, struct poe_op *send);
void poe_match_receive(struct poe *poe, struct poe_op *receive);
void poe_match_probe(struct poe *poe, struct poe_op *probe);
/* Takes both out of their queues: they are a match set that is ready to fire. */
void poe_match_claim(struct poe *poe, struct poe_op *send, struct poe_op *receive);
/* Likewise; only a matched probe takes the message out, at once, since another thread may look for it before
 * it fires. */
void poe_match_claim_probe(struct poe *poe, struct poe_op *send, struct poe_op *probe);
/* A receive of the inbox is gone: matches it shielded may be ready. */
void poe_match_rescan(struct poe *poe, struct poe_comm *comm, struct poe_inbox *inbox);

/* Fires the oldest ready match set. */
enum poe_state poe_match_fire(struct poe *poe);
/* Whether the next one to fire is a collective whose members disagree: then it is put aside. Of several,
 * which one is seen first depends on time, so none of them is shown before nothing else can move. */
bool poe_match_clashes(struct poe *poe);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives match per communicator, in call order: a rank's k-th collective call on a
 * communicator belongs to its k-th *instance*. One over a subset (MPI_Comm_create_group) is told
 * apart by its members and tag. Those that make communicators number them here.
 */
#ifndef POE_COLLECTIVE_H
#define POE_COLLECTIVE_H

#include "communicator.h"
#include "state.h"

struct poe_instance {
    struct poe_instance *prev, *next;
    struct poe_comm *comm;
    uint64_t number; /* k */
    bool subset;
    int needed, arrived;
    struct poe_op **ops; /* by place in the communicator; NULL: not there yet */
};

/* False if the members of a subset are not in the communicator. */
bool poe_collective_join(struct poe *poe, struct poe_op *op);
enum poe_state poe_collective_fire(struct poe *poe, struct poe_instance *instance);
/* The instance that the rank's fence is part of. */
struct poe_instance *poe_collective_of(struct poe *poe, const struct poe_op *op);
void poe_instance_destroy_all(struct poe_comm *comm);

#endif

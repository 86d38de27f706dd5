/* SPDX-License-Identifier: BSD-3-Clause */
/* One collective: the calls of its members, as far as they have come (collective.h). */
#ifndef POE_INSTANCE_H
#define POE_INSTANCE_H

#include "communicator.h"
#include "state.h"

struct poe_instance {
    struct poe_instance *prev, *next;
    struct poe_instance *half_next; /* in poe->halves */
    struct poe_instance *other;     /* the other side of an intercommunicator to be */
    struct poe_comm *comm;
    uint64_t number; /* k */
    bool subset;
    enum isp_flow flow; /* in this run: not ALL if members go on before all have called */
    bool clashes;       /* it is in poe->clashes */
    int needed, arrived;
    int entered;                           /* flow: those that have fired */
    struct poe_op **ops;                   /* by place in the communicator; NULL: not there yet */
    struct poe_recorded_meeting *recorded; /* or NULL */
};

/* The member of the lowest place that is there. */
struct poe_op *poe_instance_first(const struct poe_instance *instance);

#endif

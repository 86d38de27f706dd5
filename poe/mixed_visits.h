/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Visits (visit.h) in runs with mixed buffering: those of a recorded run come in its order again when it is
 * played (mixed_play.h), as far as the one may keep the other out, or use the same memory.
 *
 * If the play with nothing kept comes to the end of the run so, no mixed buffering of it has a deadlock: from
 * any cut one could go on in the play's order, since who keeps a lock in the cut waits for something in the
 * run, too, and so has its place in the order. That is not so if what it waits for is a send that the run
 * does not wait in. Then, and if the play does not come to the end, deadlocks may be missed.
 */
#ifndef POE_MIXED_VISITS_H
#define POE_MIXED_VISITS_H

#include "record.h"

struct poe_mixed_visits {
    const struct poe_record *record;
    bool meet;                 /* two of different ranks may */
    bool send_in_epoch;        /* a rank may wait in a send while it keeps others out */
    bool *granted;             /* by grant */
    uint32_t n_granted, first; /* the first one that is not */
    uint64_t looked;
};

void poe_mixed_visits_init(struct poe_mixed_visits *visits, const struct poe_record *record, int ranks);
void poe_mixed_visits_finish(struct poe_mixed_visits *visits);
/* A play begins. */
void poe_mixed_visits_start(struct poe_mixed_visits *visits);
/* The LOCK that is this call of its rank may be granted now, and is. */
bool poe_mixed_visits_grant(struct poe_mixed_visits *visits, int rank, uint32_t at);
/* All that the run granted was. */
bool poe_mixed_visits_are_all(const struct poe_mixed_visits *visits);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A recorded run, played again as far as it goes if MPI keeps only some operations (kept.h). Each rank makes
 * its recorded calls, one after the other, and each decision is made as it was then, as soon as that is
 * possible; until then it is put off.
 */
#ifndef POE_MIXED_PLAY_H
#define POE_MIXED_PLAY_H

#include "mixed_visits.h"
#include "record.h"

enum poe_mixed_end {
    POE_MIXED_STUCK,    /* all wait, and nothing can move */
    POE_MIXED_LIVELOCK, /* likewise, but for polls that may be told `not yet` for ever */
    POE_MIXED_NOT_STUCK,
};

/* Handles are used again when an operation is over, which may be earlier or later here: each call has one of
 * its own, its place. */
struct poe_mixed_slots {
    uint32_t *places; /* by handle in the run */
    uint32_t room;
};

struct poe_mixed_play {
    const struct poe *run;           /* that is played */
    const struct poe_record *record; /* its */
    struct poe *poe;                 /* the present one */
    uint32_t *at;                    /* by rank: how many calls it has made */
    struct poe_mixed_slots *slots;   /* by rank */
    uint32_t *list;                  /* of the call that is being made */
    uint32_t list_room;
    int *comms;  /* by number in the run: the communicator's number here, or ISP_NO_COMM: not known */
    bool *taken; /* by decision: made as it was then */
    struct poe_mixed_visits visits;
    unsigned *choices, n_choices, choices_room; /* the run's name */
    enum poe_mixed_end end;
    /* Called at each decision that is made as it was, before it is; or NULL. */
    void (*decides)(void *context, uint32_t decision, const struct poe_choice *choice, unsigned k);
    void *context;
};

/* kept: in order. The play's arrays are its own, from the first one on. */
void poe_mixed_play(struct poe_mixed_play *play, const struct poe_name *kept, size_t n_kept);
void poe_mixed_play_finish(struct poe_mixed_play *play);

#endif

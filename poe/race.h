/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Races: alternatives of a decision that show only after it was made.
 *
 * A decision took one of the alternatives that were there. If later in the run a message
 * (or a completion) shows up that it could have taken too, and that does not happen
 * after the decision, then some run in which others move first has that alternative: the
 * decision needs *later*. If no run below a decision shows such a race, *later* would bring
 * nothing new; that is the backtrack rule of dynamic partial order reduction (Flanagan and
 * Godefroid; here with DAMPI's vector clocks, dissertation chapter 5). The argument is in
 * poe/SEARCH.md.
 */
#ifndef POE_RACE_H
#define POE_RACE_H

#include "communicator.h"
#include "state.h"

/* One decision that was made, kept on its thread in order. */
struct poe_decided {
    unsigned number; /* among the decisions of the run */
    uint64_t index;  /* the transition that was decided */
    bool messages;   /* new messages are new alternatives */
    bool shielded;   /* earlier receives were pending: their end may show more */
    bool all;        /* a Test or Testall: only all its operations together are an alternative */
    bool raced;
    int32_t comm, peer, tag;
    uint32_t missing;  /* all: operations that are still incomplete */
    uint64_t *covered; /* sources that were alternatives (bits by world rank) */
};

/* A decided fence that an incomplete operation would have been an alternative for. */
struct poe_watch {
    struct poe_watch *next;
    uint32_t decision;
    uint16_t thread; /* of the fence */
};

/* The choice in poe->choice is about to be decided (not put off): numbers the decision and records it. */
void poe_race_decided(struct poe *poe, struct poe_op *op);
/* Something shows up, with what its thread knew when it was called, that could have come before the thread's
 * decision (0: none), together with what is to come between, which had this clock in the end. posted or
 * between NULL: it knew nothing. */
void poe_race_visit(struct poe *poe, const struct poe_thread *thread, uint32_t decision,
                    const struct poe_clock *posted, const struct poe_clock *between);
void poe_race_message(struct poe *poe, const struct poe_op *send);
void poe_race_unshield(struct poe *poe, struct poe_comm *comm, struct poe_inbox *inbox,
                       const struct poe_op *receive);
void poe_race_completed(struct poe *poe, struct poe_op *op);
/* MPI_Cancel is called for a receive whose decision gave it a message: it could have come first. */
void poe_race_cancel(struct poe *poe, const struct poe_op *fence, const struct poe_op *receive);
/* The decision of this number needs *later*. */
void poe_race_tell(struct poe *poe, unsigned number);
/*
 * The run has come to a state of which it is known what shows up below it (states.h). Of the clock of
 * something below no more is known than `shown` has, and it knows no more than `most`. What cannot be
 * excluded is a race.
 */
void poe_race_foreseen(struct poe *poe, const struct poe_shown *shown, const struct poe_clock *most);
/* ... and messages that are there already, behind receives that may be gone below. */
void poe_race_foreseen_behind(struct poe *poe);
void poe_race_unwatch(struct poe *poe, struct poe_op *op);
/* A poll is told `not yet` without a decision, since nothing else can move. */
void poe_race_denied(struct poe *poe, const struct poe_op *poll);
/* A decision could have taken the completion of an operation that is not complete; buffered, it would be. */
bool poe_race_is_open(const struct poe *poe);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mixed buffering: MPI keeps some of the operations that it may keep (kept.h), and others not. What deadlocks
 * only then?
 *
 * Such a deadlock X is a cut of a run R with infinite buffering: it makes the same decisions, and whoever
 * waits in X for MPI to keep something just goes on in R. Let D be the decisions of R that X has made.
 * Whatever must have happened before D, in R's order, is in X; in particular MPI has completed the operations
 * that D needs to be complete, the set B(D). Now play R with B(D) kept and nothing else, as far as it goes:
 * that makes D, and all that it does is in X too, since X can do what this one can. So it ends in a cut X'
 * that is part of X and has the same decisions; and X' is stuck. (A transition that could move in X'
 * otherwise than in R could do so in X: it has the same alternative there. A message that it could take is
 * still there, since it shields it from later receives.)
 *
 * So for each run R, and each set D of its decisions with all that happens before them, one play of R's calls
 * tells whether there is a deadlock. Sets D with the same X' count once; there are as many as the decisions
 * need different operations to be kept. For a deterministic run there is none but the empty set, which is
 * zero buffering and has been explored. B(D) comes from vector clocks that count each call. In the end the
 * operations are left out of B(D) that X' does not need: what remains must be kept.
 */
#ifndef POE_MIXED_H
#define POE_MIXED_H

#include "poe.h"

/* Why not all sets D were looked at. */
enum poe_mixed_limit {
    POE_MIXED_ALL,      /* they were */
    POE_MIXED_TOO_LONG, /* the run was too long to be recorded */
    POE_MIXED_TOO_MANY, /* there are too many sets, or to play them takes too long */
    POE_MIXED_THREADS,  /* several threads of a rank call MPI: the order between them is not known */
    POE_MIXED_VISITS,   /* locks and atomic accesses decide what deadlocks: mixed_visits.h */
};

struct poe_mixed_cut {
    struct poe *poe; /* in which nothing moves: see poe_wait */
    bool livelock;
    const struct poe_name *kept;   /* what MPI keeps, in order; after poe_mixed_reduce, what it must keep */
    const struct isp_call **calls; /* ... and these calls */
    size_t n_kept;
    const unsigned *choices; /* the name of a run that ends here, with these operations kept */
    unsigned n_choices;
};

struct poe_mixed;

/* run: at its end, with infinite buffering, and recorded. It must stay as it is. */
struct poe_mixed *poe_mixed_create(const struct poe *run);
void poe_mixed_destroy(struct poe_mixed *mixed);
/* The next deadlock; false if there is none left. What it shows is valid until the next call. */
bool poe_mixed_next(struct poe_mixed *mixed, struct poe_mixed_cut *cut);
/* Leaves out of what is kept what the cut, the last one, does not need: it is shown anew. That takes some
 * plays. */
void poe_mixed_reduce(struct poe_mixed *mixed, struct poe_mixed_cut *cut);
/* Afterwards. */
enum poe_mixed_limit poe_mixed_limit(const struct poe_mixed *mixed);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What multiplies the interleavings: how many there would be if some choices were none. For each *measure* it
 * counts the leaves of the tree of decisions that it keeps, in the traversal of the search itself, with the
 * estimator of poe_search_estimate (poe/FACTORS.md):
 *
 *   all          every leaf that the bounds leave
 *   no polls     where no poll says `not yet` that could have said something else
 *   mix K        that bounded mixing keeps (K = 0, 1, 2)
 *   a class      where each decision of that class takes its first alternative
 *
 * Each is a sum over leaves, so what several parts of a search have counted adds up. Memory: one number for
 * each measure at decisions of which some, but not all alternatives are done. Private to poe/search.c.
 */
#ifndef POE_FACTORS_H
#define POE_FACTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "poe/search.h"

struct poe_decision;

/* Measures by slot; those of classes that came up later than it was made are as `all`. NULL: all zero. */
struct poe_tally {
    double *at;
    uint32_t n;
};

struct poe_factors {
    uint64_t keys[POE_CLASSES_MOST]; /* of classes, by slot */
    uint32_t n;
    struct poe_tally now;    /* below the decision that was looked at last */
    struct poe_tally passed; /* of what is in the search no more */
    struct poe_tally scratch;
};

void poe_tally_copy(struct poe_tally *to, const struct poe_tally *from);
/* From a list of poe_search_done. */
void poe_factors_read(struct poe_factors *factors, struct poe_tally *tally, const struct poe_share *shares,
                      uint32_t n);

void poe_factors_finish(struct poe_factors *factors);

/* Its slot, plus one; 0: there are too many, or it is none. */
uint16_t poe_factors_class(struct poe_factors *factors, uint64_t key);

/* A run is over. */
void poe_factors_leaf(struct poe_factors *factors, double leaves);
/* What was looked at last is below the present alternative of this decision, and done. */
void poe_factors_add(struct poe_factors *factors, struct poe_decision *decision);
/* All alternatives of the decision are done, of `end`; its tally is freed. */
void poe_factors_close(struct poe_factors *factors, struct poe_decision *decision, unsigned end);
/* As if, without a change to the decision: `child`, what was looked at last is below it. */
void poe_factors_expect(struct poe_factors *factors, const struct poe_decision *decision, unsigned end,
                        bool child);
/* What was looked at last, below these decisions, is in the search no more. */
void poe_factors_pass(struct poe_factors *factors, const struct poe_decision *prefix, unsigned n);
/* The done alternatives of prefix[n] are. */
void poe_factors_pass_done(struct poe_factors *factors, const struct poe_decision *prefix, unsigned n);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The depth-first search over decisions: an explicit stack of choice points,
 * pure like the rest of poe. One entry per decision of the present run.
 *
 * Use, for each run: at each POE_CHOICE ask poe_search_next which alternative to
 * take; report races with poe_search_race as they show; when the run is over call
 * poe_search_backtrack: true means run again.
 */
#ifndef POE_SEARCH_H
#define POE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct poe_search;

struct poe_search *poe_search_create(void);
void poe_search_destroy(struct poe_search *search);

/* The alternative for decision `number` of this run, which has `n` alternatives and this
 * signature. Negative if the run has diverged from the ones before it: the same decisions
 * led to another choice point (the program is nondeterministic outside MPI). */
int poe_search_next(struct poe_search *search, unsigned number, unsigned n, uint64_t signature);

/* Decision `number` needs its *later* alternative. */
void poe_search_race(struct poe_search *search, unsigned number);

/* Moves to the next unexplored prefix; false if there is none. */
bool poe_search_backtrack(struct poe_search *search);

/* Choice points with alternatives left, for the progress line. */
size_t poe_search_frontier(const struct poe_search *search);
/* Decisions that are forced by the prefix of the present run. */
unsigned poe_search_prefix(const struct poe_search *search);
/* Decision points that had, in the present run, more than one alternative (present, or later). */
unsigned poe_search_depth(const struct poe_search *search);

/* The name of the run: its decisions joined by dots, `k*r` for r times k in a row, zeros at the
 * end left out: "0.2.1", "0*11.1", "0". Caller frees. */
char *poe_search_name(const struct poe_search *search);
char *poe_choices_name(const unsigned *choices, unsigned n);

/* Parses such a name. Returns the number of decisions and sets *choices (caller frees), or -1
 * if it is not one. */
int poe_choices_parse(const char *name, unsigned **choices);

#endif

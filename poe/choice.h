/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Choice points: which transition is decided next, its alternatives, and what a decision does.
 *
 * One transition is decided at a time. Its alternatives are those that are there now, plus
 * *later*, after which it only takes what was not there: the runs below the alternatives are
 * disjoint and together all there are, so no two interleavings are alike.
 */
#ifndef POE_CHOICE_H
#define POE_CHOICE_H

#include "state.h"

/* Nothing is ready and no rank runs: finds the transition to decide and its alternatives. */
bool poe_choice_find(struct poe *poe);
/* Whether a transition that was put off could move with an alternative it put off. */
bool poe_choice_is_put_off(struct poe *poe);

#endif

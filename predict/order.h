/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a solution is one that can come about, one thing after the other. Private to predict/. */
#ifndef PREDICT_ORDER_H
#define PREDICT_ORDER_H

#include "run.h"

/* Everything has its literals: from now on the order is known. */
void predict_order_init(struct predict *p);
void predict_order_finish(struct predict *p);

/* How many clauses were added to the solver, each of which forbids a circle that its solution has: of things
 * that each must be before the next. 0: there is none. Notes which pairs hold. */
int32_t predict_order_forbid(struct predict *p);

/* Tells the solver all of the order, so that no solution has a circle. */
void predict_order_tell(struct predict *p);

#endif

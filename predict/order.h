/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a solution is one that can come about, one thing after the other. Private to predict/. */
#ifndef PREDICT_ORDER_H
#define PREDICT_ORDER_H

#include "run.h"

/* How many clauses were added to the solver, each of which forbids a circle that its solution has: of things
 * that each must be before the next. 0: there is none. */
int32_t predict_order_forbid(struct predict *p);

#endif

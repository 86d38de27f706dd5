/* SPDX-License-Identifier: BSD-3-Clause */
/* The run as clauses, but for the order. Private to predict/. */
#ifndef PREDICT_ENCODE_H
#define PREDICT_ENCODE_H

#include "run.h"
#include "solver.h"

/* Gives everything its literals. */
void predict_encode(struct predict *p);

/* The literal: the event is issued. */
int predict_issued(const struct predict *p, const struct predict_event *e);

#endif

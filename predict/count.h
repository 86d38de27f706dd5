/* SPDX-License-Identifier: BSD-3-Clause */
/* How many messages receives with one envelope get. Private to predict/. */
#ifndef PREDICT_COUNT_H
#define PREDICT_COUNT_H

#include "run.h"

/* Clauses that follow from the others, and that the solver would not find. */
void predict_count_encode(struct predict *p);

#endif

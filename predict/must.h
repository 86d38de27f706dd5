/* SPDX-License-Identifier: BSD-3-Clause */
/* What must be before what, whatever matches: it rules pairs out. Private to predict/. */
#ifndef PREDICT_MUST_H
#define PREDICT_MUST_H

#include "run.h"

/* Pairs that no order allows get the literal PREDICT_FALSE. */
void predict_must_prune(struct predict *p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Which messages could go to which receives and probes. Private to predict/. */
#ifndef PREDICT_PAIRS_H
#define PREDICT_PAIRS_H

#include "run.h"

/* More are not looked at: the solver would take minutes. */
enum { PREDICT_PAIRS_MOST = 1 << 18 };

/* All that may match by their envelopes and by how many others must or can match before. */
void predict_pairs_find(struct predict *p);

#endif

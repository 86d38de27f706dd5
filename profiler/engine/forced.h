/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls of a rank that goes ahead must come to, since the run is made again: told with WELCOME. */
#ifndef PROF_FORCED_H
#define PROF_FORCED_H

#include "isp/outcome.h"

void prof_forced_begin(void);
/* Of the transition with this index; NULL: nothing is. */
const struct isp_outcome *prof_forced_find(uint64_t index);
/* Whether isp answers a poll with this index, whatever MPI says. */
bool prof_forced_is_asked(uint64_t index);

#endif

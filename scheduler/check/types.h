/* SPDX-License-Identifier: BSD-3-Clause */
/* Type signatures that must match (MPI-4.0, section 3.3.1). */
#ifndef SCHED_CHECK_TYPES_H
#define SCHED_CHECK_TYPES_H

#include "check.h"

/* A fired message match: is what is received, as far as the message goes, of the type that was sent? */
void sched_check_types(struct sched_run *run, const struct poe_transition *send, const struct poe_transition *receive);
bool sched_types_match(const struct sched_run *run, const struct poe_transition *send,
                       const struct poe_transition *receive);

#endif

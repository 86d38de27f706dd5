/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of one collective that disagree. */
#ifndef SCHED_CHECK_COLLECTIVES_H
#define SCHED_CHECK_COLLECTIVES_H

#include "check.h"
#include "groups.h"

/* A fired collective: root, reduction, types. False if the roots, or the sizes of what is given and taken,
 * differ. */
bool sched_check_collective(struct sched_run *run, const struct poe_fired *fired);

/* "MPI_SUM"; NULL: unknown. */
const char *sched_redop_name(uint32_t redop);

/* At the end: collectives that ranks have left early (buffered runs) and that others never called. */
void sched_check_incomplete(struct sched_run *run, const struct sched_groups *collectives);

#endif

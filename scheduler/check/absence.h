/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives that ranks wait in, or for, and who has not called them. */
#ifndef SCHED_CHECK_ABSENCE_H
#define SCHED_CHECK_ABSENCE_H

#include "check.h"

struct sched_absence;

struct sched_absences {
    struct sched_run *run;
    struct sched_absence *list;
    size_t n;
};

/* Notes the transition if it is a collective, once for all that wait in the same. */
void sched_absences_add(struct sched_absences *all, const struct poe_transition *t);
/* One line of the story each; ends `all`. */
void sched_absences_tell(struct sched_absences *all, struct sched_draft *draft);

#endif

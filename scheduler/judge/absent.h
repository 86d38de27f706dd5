/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks of which nothing was heard, since they tell of themselves when MPI_Init has returned: their processes
 * are looked at. */
#ifndef SCHED_ABSENT_H
#define SCHED_ABSENT_H

#include <sys/types.h>

#include "world/world.h"

struct sched_absent {
    int rank;  /* the first that has not called MPI_Init, or else that has no process any more; or -1 */
    pid_t pid; /* 0: it has none */
};

/* Sets world->starts of all ranks that have not come out of MPI_Init, as far as they are on this host. */
struct sched_absent sched_absent_find(struct sched_world *world);

#endif

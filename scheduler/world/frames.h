/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes from the ranks: whole frames, each by its kind. */
#ifndef SCHED_FRAMES_H
#define SCHED_FRAMES_H

#include "inside.h"

/* Takes all that is there. May end the run. */
void sched_frames_take(struct sched_world *world);

#endif

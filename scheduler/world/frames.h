/* SPDX-License-Identifier: BSD-3-Clause */
/* What comes from the ranks: whole frames, each by its kind. */
#ifndef SCHED_FRAMES_H
#define SCHED_FRAMES_H

#include "inside.h"

/* Takes all that is there. May end the run. */
void sched_frames_take(struct sched_world *world);
/* Takes one frame of this rank (none of ahead.h's). */
void sched_frames_take_one(struct sched_world *world, int rank, uint8_t type, struct isp_reader *in);

#endif

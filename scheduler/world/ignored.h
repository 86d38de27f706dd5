/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user says does not matter: where ranks find the variables of --ignore, and that isp_ignore was
 * called. That it is so is an assumption of the verdict. */
#ifndef SCHED_WORLD_IGNORED_H
#define SCHED_WORLD_IGNORED_H

#include "isp/wire.h"
#include "world.h"

/* ISP_MSG_MODULES: answers it. A name that none of them has ends the run. */
void sched_ignored_take_modules(struct sched_world *world, int rank, struct isp_reader *in);
/* ISP_MSG_IGNORED. */
void sched_ignored_take_mark(struct sched_world *world, int rank, struct isp_reader *in);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a rank's calls: from frames to poe, to the checks and to the trace. */
#ifndef SCHED_WORLD_RECORDS_H
#define SCHED_WORLD_RECORDS_H

#include "inside.h"

/* CALLS, QUIET, POLLS and ACCESS frames. in->ok is false after what libisp.so cannot have sent. */
void sched_records_take_calls(struct sched_world *world, int rank, struct isp_reader *in);
void sched_records_take_quiet(struct sched_world *world, int rank, struct isp_reader *in);
void sched_records_take_polls(struct sched_rank *rank, struct isp_reader *in);
/* What a rank has told before; the last record is a fence. */
void sched_records_tell_again(struct sched_world *world, int rank, const struct isp_buf *records);
/* If every rank that may still call something is quiet, what is held back is all there is: poe is given it.
 * True: something was. */
bool sched_records_feed_all(struct sched_world *world);

#endif

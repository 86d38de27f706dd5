/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The line of an access. That the bytes of a pending buffer were changed is often seen only when its
 * operation completes. As runs can be repeated exactly, the run is made once more, with the debug registers
 * of the rank's processor on one of the changed bytes (profiler/ watch_pending.h): then the finding is shown
 * where the access is. A buffer so large that only a hash of it was kept takes one more run, which finds out
 * what byte it is. These runs are no interleavings, and nothing else that they show is reported.
 *
 * Each finding is tried once. It stays as it was if nothing is found: no such registers, or the access is in
 * the kernel (read(2) into the buffer).
 */
#ifndef SCHED_LOCATE_H
#define SCHED_LOCATE_H

#include "run.h"

/* The run is over and judged. */
void sched_locate(struct sched_engine *engine, const struct sched_run_state *state);
void sched_locate_finish(struct sched_engine *engine);

#endif

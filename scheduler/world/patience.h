/* SPDX-License-Identifier: BSD-3-Clause */
/* How long a world waits for what may still come, before it says that nothing will. */
#ifndef SCHED_WORLD_PATIENCE_H
#define SCHED_WORLD_PATIENCE_H

#include "inside.h"

/* Some rank only seems to be quiet. */
bool sched_patience_is_guess(const struct sched_world *world);
/* Some rank counts as waiting only since it has called nothing for long ... */
bool sched_patience_any_idle(const struct sched_world *world);
/* ... or since a thread of it has not: what is decided now, it may be in time for in another run. */
bool sched_patience_is_early(const struct sched_world *world);
/* An --idle with which few are. */
double sched_patience_unhurried_s(const struct sched_options *options);
/* Nothing moves. Whether it is certain that nothing will, or as good as. */
bool sched_patience_is_settled(const struct sched_world *world);
/* ... where it is not: whether ranks that poll would have shown by now that they get on by themselves. */
bool sched_patience_is_long(const struct sched_world *world);
/* The rank has sent something. */
void sched_patience_heard(struct sched_world *world, int rank);
/* Threads that must not call MPI might end what looks like a deadlock; then that they do is what is wrong. */
bool sched_patience_is_strayed(const struct sched_world *world);
/* All that poll have done so in known states for all rounds. Whether for long enough to be a livelock; if
 * not, the time passes: what could still end it is that, not more rounds. */
bool sched_patience_is_livelock(const struct sched_world *world);
/* A process that the launcher does not know has died without a word. If it was killed together with all
 * others, that shows soon. */
bool sched_patience_left_alone(const struct sched_world *world);
/* Once in a while: ends a run that hangs, and kills a launcher that does not notice that all ranks are
 * gone. */
void sched_patience_check(struct sched_world *world);

#endif

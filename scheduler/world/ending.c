/* SPDX-License-Identifier: BSD-3-Clause */
/* How a run ended, in words. */
#include "world.h"

const char *sched_ending_name(enum sched_ending ending)
{
    static const char *const names[] = {[SCHED_END_NONE] = "none",
                                        [SCHED_END_FINISHED] = "finished",
                                        [SCHED_END_DEADLOCK] = "deadlock",
                                        [SCHED_END_LIVELOCK] = "livelock",
                                        [SCHED_END_REDUNDANT] = "redundant",
                                        [SCHED_END_KNOWN] = "merged",
                                        [SCHED_END_MISMATCH] = "mismatch",
                                        [SCHED_END_DIED] = "died",
                                        [SCHED_END_KILLED] = "killed",
                                        [SCHED_END_HANG] = "hang",
                                        [SCHED_END_UNSUPPORTED] = "unsupported",
                                        [SCHED_END_DIVERGED] = "diverged",
                                        [SCHED_END_FAILED] = "failed",
                                        [SCHED_END_INTERRUPTED] = "interrupted",
                                        [SCHED_END_NOT_FORKED] = "not forked"};
    return names[ending];
}

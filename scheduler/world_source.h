/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where live worlds come from. The exploration asks for one at a prefix of decisions; how it gets there is
 * the source's business:
 *
 *   replay      launches the program again: the world is at its start, and makes the decisions of
 *               the prefix once more (source_replay.c)
 *   checkpoint  will resume the ranks where the prefix ends (DESIGN §6)
 *
 * The result is the same.
 */
#ifndef SCHED_WORLD_SOURCE_H
#define SCHED_WORLD_SOURCE_H

#include "world.h"

struct sched_world_request {
    struct sched_run *run; /* without poe */
    bool buffered;
    enum sched_output output;
    unsigned prefix;       /* decisions that are given */
    const bool *interrupted;
};

struct sched_world_source {
    struct sched_world *(*open)(struct sched_world_source *source, const struct sched_world_request *request);
    void (*close)(struct sched_world_source *source, struct sched_world *world);
    struct event_base *base;
};

struct sched_world_source sched_source_replay(struct event_base *base);

#endif

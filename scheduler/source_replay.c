/* SPDX-License-Identifier: BSD-3-Clause */
/* The world source that launches again. It works for every program, and takes a launch per interleaving. */
#include "world_source.h"

static struct sched_world *open_world(struct sched_world_source *source, const struct sched_world_request *request)
{
    return sched_world_create(source->base, request->run, request->buffered, request->output, request->interrupted);
}

static void close_world(struct sched_world_source *source, struct sched_world *world)
{
    sched_world_destroy(world);
}

struct sched_world_source sched_source_replay(struct event_base *base)
{
    return (struct sched_world_source){open_world, close_world, base};
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "merges.h"

#include "poe/states.h"

/* What is made of each interleaving by itself. */
static bool wants_each(const struct sched_options *o)
{
    static const bool needs_trace[SCHED_FORMATS] = {
#define REPORT(commands, option, name, function, needs, ...) needs,
#include "options.def"
    };
    for (int i = 0; i < SCHED_FORMATS; i++)
        if (o->reports[i] && needs_trace[i])
            return true;
    return o->trace != NULL;
}

/* Walks come in no order, and bounds on choices depend on those before: what is below a state would not be
 * all. Where ranks are launched for each run their states cannot be compared. */
bool sched_run_merges(const struct sched_options *o)
{
    return o->merge == SCHED_MERGE_AUTO && !o->replay && !o->sample && o->mix < 0 && !o->loops && !o->tcp &&
           o->checkpoints && o->memory != ISP_MEMORY_WATCH && o->ranks <= POE_STATES_RANKS && !o->mixed &&
           !wants_each(o);
}

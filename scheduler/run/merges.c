/* SPDX-License-Identifier: BSD-3-Clause */
#include "merges.h"

#include "poe/states.h"

bool sched_run_explains(const struct sched_options *o) { return o->verbose > 0 && sched_run_merges(o); }

/* Walks come in no order, and bounds on choices depend on those before: what is below a state would not be
 * all. Where ranks are launched for each run their states cannot be compared. */
bool sched_run_merges(const struct sched_options *o)
{
    return o->merge == SCHED_MERGE_AUTO && !o->replay && !o->sample && o->mix < 0 && !o->loops &&
           o->checkpoints && sched_run_keeps_apart(o) && o->ranks <= POE_STATES_RANKS && !o->mixed;
}

/* With other hosts it is not known whether the library is there. Ranks that go ahead are in no state that
 * others could know. */
bool sched_run_keeps_apart(const struct sched_options *o)
{
    return !o->tcp && o->memory != ISP_MEMORY_WATCH && !o->decentralized;
}

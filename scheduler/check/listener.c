/* SPDX-License-Identifier: BSD-3-Clause */
/* What the checks want to hear of a run. */
#include "check.h"
#include "deeds.h"
#include "threads.h"

static void call(void *self, struct sched_run *run, int rank, const struct isp_call *made)
{
    sched_deeds_call(&run->deeds, run->options->ranks, rank, made);
}

static bool fired(void *self, struct sched_run *run, const struct poe_fired *set)
{
    return sched_check_match(run, set);
}

static void decide(void *self, struct sched_run *run, const struct poe_choice *choice, unsigned taken)
{
    if (choice->number >= run->counted)
        sched_check_choice(run, choice);
    if (choice->alternatives[0].kind == POE_ADMIT)
        sched_check_threads(run, choice);
}

const struct sched_listener sched_check_listener = {.call = call, .fired = fired, .decide = decide};

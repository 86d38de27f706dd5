/* SPDX-License-Identifier: BSD-3-Clause */
/* See verify.h. */
#include "verify.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/now.h"
#include "confirm.h"
#include "part.h"
#include "world/files.h"

enum { CHEAP = 5 }; /* the program takes at most this part of the time so far; launching it does not count */
static const double CHEAP_S = 0.5;

/* The launch differs because of a file that those before it have left: that is the program's doing, and no
 * launch would undo it. */
static bool is_of_leftovers(struct sched_explore *x, const struct sched_findings *found,
                            const struct sched_run *run)
{
    struct sched_finding *const *all;
    size_t n = sched_findings_all(found, &all);
    char *file = sched_leftovers_words(x->engine.result->leftovers);
    bool is = false;
    for (size_t i = 0; file && i < n; i++)
        if (all[i]->rule == ISP_RULE_NONDETERMINISM) {
            sched_findings_add(run->findings, NULL, all[i]);
            char *why = sched_strdup("the program is nondeterministic outside MPI");
            sched_part_incomplete(x->engine.result, why, run);
            is = true;
        }
    free(file);
    return is;
}

void sched_verify(struct sched_explore *x, struct sched_replay_check *check, bool buffered)
{
    struct sched_result *r = x->engine.result;
    double limit_s = (sched_now_s() - x->started_s) / CHEAP;
    if (x->program_s > (limit_s > CHEAP_S ? limit_s : CHEAP_S) || !x->made)
        return;
    char *name = poe_choices_name(x->choices, x->made);
    struct sched_findings *found = sched_findings_create();
    struct sched_run_state s = {.run = {.options = x->engine.options,
                                        .sites = r->sites,
                                        .findings = found,
                                        .signatures = x->engine.signatures,
                                        .interleaving = name,
                                        .buffered = buffered}};
    struct sched_decider decider = {.forced = x->choices, .n_forced = x->made};
    uint64_t calls = r->calls;
    sched_run_start(&x->engine, &s, &decider, check, buffered, SCHED_OUTPUT_HIDE, false);
    r->calls = calls;
    /* As in confirm.c: what does not even get to MPI shows nothing of what the program does there. */
    bool over = s.world->n_connected &&
                (sched_ending_is_own(s.world->ending) || s.world->ending == SCHED_END_DIVERGED);
    sched_files_leave(s.world->files, &r->leftovers);
    s.run.findings = r->findings;
    if (over && !x->engine.interrupted && !is_of_leftovers(x, found, &s.run))
        x->untrue = sched_confirm_missed(r->findings, found);
    x->stop |= x->untrue != NULL;
    sched_run_finish(&x->engine, &s);
    sched_findings_destroy(found);
    free(name);
}

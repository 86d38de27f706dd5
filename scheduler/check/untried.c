/* SPDX-License-Identifier: BSD-3-Clause */
#include "untried.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "isp/functions.h"
#include "sites/sites.h"
#include "words/words.h"

/* "MPI_Test in work at app.c:12" */
static char *place_of(const struct sched_run *run, const struct isp_call *call)
{
    const struct sched_location *at = sched_sites_find(run->sites, call->site);
    const char *name = isp_fn_name((enum isp_fn)call->fn);
    if (at->function && at->file)
        return sched_format("%s in %s at %s:%d", name, at->function, at->file, at->line);
    char *place = sched_words_place(run, call->site), *text = sched_format("%s at %s", name, place);
    free(place);
    return text;
}

char *sched_untried(const struct sched_run *run)
{
    const struct poe_cut *cut = run->poe ? poe_first_cut(run->poe) : NULL;
    if (!cut)
        return NULL;
    char *place = place_of(run, &cut->call), *why = NULL;
    switch (cut->kind) {
    case POE_CUT_NO_POLLS:
        why = sched_format("with --polls 0 it was not tried that polls fail before they succeed (%s)", place);
        break;
    case POE_CUT_POLLS:
        why = sched_format("it was not tried that " SCHED_UNTRIED_COUNTED " (%s)", place);
        break;
    case POE_CUT_UNSEEN_POLLS:
        why = sched_format(
            "it was not tried that " SCHED_UNTRIED_POLLS ", "
            "and the program asks the time, looks elsewhere, or has too much memory to compare (%s)",
            place);
        break;
    case POE_CUT_LOOKS:
        why =
            sched_format("it was not tried that a window is looked at in vain more often, though the program "
                         "then does something else (%s)",
                         place);
        break;
    case POE_CUT_CANCEL:
        why = sched_format("only one outcome was tried of a call that cancels (%s)", place);
        break;
    case POE_CUT_SUBSETS:
        why = sched_format("not every subset of more than 10 complete requests was tried (%s)", place);
        break;
    case POE_CUT_STARTALL:
        why = sched_format("one order was run in which MPI_Startall starts sends of different tags to a rank "
                           "that takes any (%s)",
                           place);
        break;
    case POE_CUT_UNITS:
        why = sched_format("it was not tried that partitions arrive apart from each other, since the two "
                           "sides cut the message differently (%s)",
                           place);
        break;
    }
    free(place);
    return why;
}

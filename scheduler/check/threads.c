/* SPDX-License-Identifier: BSD-3-Clause */
/* What the threads of a rank do to each other: see threads.h. */
#include "threads.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "isp/functions.h"
#include "words/words.h"

static const char *scope_name(const struct isp_call *call)
{
    enum isp_scope scope = isp_fn_scope((enum isp_fn)call->fn);
    return scope == ISP_SCOPE_WINDOW ? "window" : scope == ISP_SCOPE_FILE ? "file" : "communicator";
}

void sched_check_threads(struct sched_run *run, const struct poe_choice *choice)
{
    const struct poe_transition *second = poe_rival(run->poe), *first = choice->transition;
    if (!second)
        return;
    const char *scope = scope_name(&first->call);
    struct sched_draft *d = sched_draft_create(run, ISP_RULE_THREAD_LEVEL);
    sched_draft_message(d, "two threads are in collectives of one %s: which comes first is not defined",
                        scope);
    sched_draft_line(d, "thread %u of rank %d calls %s", first->call.thread, first->rank,
                     sched_draft_call(d, &first->call));
    sched_draft_line(d, "thread %u of it is in %s at %s", second->call.thread,
                     sched_draft_call(d, &second->call), sched_draft_place(d, second->call.site));
    sched_draft_line(d, "the program has to put the collectives of a %s in order, alike on all ranks", scope);
    sched_draft_at(d, first);
    sched_draft_at(d, second);
    bool ascending = first->call.site < second->call.site;
    sched_draft_key(d, "threads " SCHED_KEY_SITE " " SCHED_KEY_SITE,
                    ascending ? first->call.site : second->call.site,
                    ascending ? second->call.site : first->call.site);
    sched_draft_end(d);
}

char *sched_threads_chosen(const struct sched_run *run, const struct sched_site_ref *call)
{
    if (!call->fn)
        return NULL;
    char *place = sched_words_place(run, call->site);
    char *why =
        sched_format("one of several threads was woken that waited for the same, and it was not tried that "
                     "another one is: %s at %s, of rank %d",
                     isp_fn_name((enum isp_fn)call->fn), place, call->rank);
    free(place);
    return why;
}

char *sched_threads_unordered(const struct sched_run *run)
{
    struct poe_unordered pair;
    if (!run->poe || !poe_unordered(run->poe, &pair))
        return NULL;
    char *first = sched_words_place(run, pair.first.site), *second = sched_words_place(run, pair.second.site);
    static const char *const words[] = {
        [POE_UNORDERED_CALLS] = "not every order of two threads' calls that compete was run",
        [POE_UNORDERED_MUTEX] =
            "one order was run in which threads get a mutex around MPI calls that compete",
        [POE_UNORDERED_WAITED] =
            ("one order was run in which threads get a mutex, of which one waits in it for what comes after "
             "the other's call"),
        [POE_UNORDERED_BEFORE] = "one order was run in which threads get a mutex before they call MPI",
        [POE_UNORDERED_BLIND] =
            ("mutexes of threads are not seen in a program that isp-cc has linked, and one order was "
             "run of MPI calls that compete, perhaps around a mutex")};
    char *why = sched_format("%s: %s at %s and %s at %s, of rank %d", words[pair.why],
                             isp_fn_name((enum isp_fn)pair.first.fn), first,
                             isp_fn_name((enum isp_fn)pair.second.fn), second, pair.rank_plus_one - 1);
    free(first);
    free(second);
    return why;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Why the end of a run leaves the exploration incomplete (law 5). */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/reserve.h"
#include "judge.h"
#include "launch/launch.h"
#include "run/options.h"
#include "tell.h"
#include "words/words.h"

/* It computes for too long, or waits inside MPI for the dead one's half of a message. */
static char *words_of_left_behind(const struct sched_world *w)
{
    const struct sched_rank_view view = sched_world_rank(w, w->hanging), *r = &view;
    if (!r->initialized || r->greets)
        return sched_format("a rank ended in interleaving %s before all had come out of MPI_Init",
                            w->run->interleaving);
    char *place = sched_words_place(w->run, r->site);
    char *why =
        sched_format("after a rank died in interleaving %s, rank %d did not get as far as it can: %s at %s",
                     w->run->interleaving, w->hanging, sched_last_call(r), place);
    free(place);
    return why;
}

char *sched_judge_incomplete(const struct sched_world *w)
{
    const struct sched_launch *l = sched_world_launch(w);
    switch (w->ending) {
    case SCHED_END_INTERRUPTED:
        if (w->late && w->run->options->replay)
            return sched_format("it was not over after %g s (--max-time)", w->run->options->max_time_s);
        if (w->late) /* why, the bound says */
            return sched_format("interleaving %s was not over", w->run->interleaving);
        return sched_reserve_was_needed() ? sched_strdup("isp can have no more memory (see ulimit)")
                                          : sched_interrupt_words();
    case SCHED_END_HANG: return sched_format("a rank hung in interleaving %s", w->run->interleaving);
    case SCHED_END_UNSUPPORTED: return sched_strdup("it makes a call that isp cannot model");
    case SCHED_END_DIVERGED: return sched_strdup("the program is nondeterministic outside MPI");
    case SCHED_END_KILLED:
        if (w->victim)
            return sched_strdup(w->victim);
        if (l->lost)
            return sched_strdup("isp's guard process was killed");
        return sched_format("the launcher was killed by signal %d (%s)", WTERMSIG(l->status),
                            strsignal(WTERMSIG(l->status)));
    case SCHED_END_REDUNDANT:
        if (w->in_vain)
            return sched_format("rank %d polled for %g s in a branch in which others are put off, and did "
                                "something else each time (--timeout)",
                                w->hanging, w->run->options->timeout_s);
        return w->run->options->replay ? sched_strdup("what was put off by these choices has nothing to wait "
                                                      "for: this is the beginning of other interleavings")
                                       : NULL;
    case SCHED_END_DIED: break;
    default: return w->differs >= 0 ? sched_strdup("the program is nondeterministic outside MPI") : NULL;
    }
    bool initialized = false;
    for (int i = 0; i < w->n; i++)
        initialized = initialized || sched_world_rank(w, i).initialized;
    if (w->explored)
        return NULL;
    if (w->fell_short)
        return sched_format("a rank died in interleaving %s before it had got as far as in runs before",
                            w->run->interleaving);
    if (w->hanging >= 0)
        return words_of_left_behind(w);
    if (sched_told_find(w, ISP_MSG_CRASH) || w->silent >= 0)
        return sched_format("a rank crashed in interleaving %s", w->run->interleaving);
    if (initialized)
        return sched_format("after a rank died in interleaving %s, others did not get as far as they can",
                            w->run->interleaving);
    if (l && l->ended && l->status != 0 && !w->n_connected)
        return sched_strdup("no rank reached MPI_Init");
    if (l && l->ended && l->status == 0)
        return sched_strdup("the program made no MPI call that isp can see: it never reached MPI_Init, "
                            "or is linked statically (build it with isp-cc), or looks MPI up at run time "
                            "with dlsym (link it with MPICH)");
    return NULL;
}

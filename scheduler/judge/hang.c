/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that hangs: what it does, by the stacks of its process while that is still there. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/process.h"
#include "checkpoint/checkpoints.h"
#include "ends.h"
#include "isp/functions.h"
#include "run/options.h"
#include "sites/stack.h"
#include "tell.h"
#include "words/words.h"

enum { STACK_MAX = 64 };

struct sched_autopsy {
    uint32_t top;
    bool stopped; /* the one that hangs was, from outside */
    char *text;
};

static bool is_busy(const struct sched_world *w, int rank)
{
    const struct sched_rank_view view = sched_world_rank(w, rank), *r = &view;
    return r->host && !r->gone && (!r->still || sched_checkpoints_acts(w, rank));
}

struct sched_autopsy *sched_autopsy_create(const struct sched_world *world)
{
    if (world->ending != SCHED_END_HANG)
        return NULL;
    struct sched_autopsy *a = sched_alloc(1, sizeof *a);
    for (int i = 0; i < world->n; i++) {
        const struct sched_rank_view view = sched_world_rank(world, i), *r = &view;
        if (!is_busy(world, i) || !sched_process_is_here(r->host))
            continue;
        uint32_t frames[STACK_MAX];
        pid_t pid = sched_checkpoints_process(world, i);
        a->stopped |= i == world->hanging && sched_process_is_stopped(pid);
        size_t n = sched_stack_of(pid, world->run->sites, frames, STACK_MAX);
        if (!n)
            continue;
        if (i == world->hanging)
            a->top = frames[sched_stack_top(world->run->sites, frames, n)];
        char *text = sched_tell_frames((struct sched_world *)world, frames, n);
        sched_words_add(&a->text, "stack of rank %d:\n%s", i, text);
        free(text);
    }
    return a;
}

void sched_autopsy_destroy(struct sched_autopsy *autopsy)
{
    if (autopsy)
        free(autopsy->text);
    free(autopsy);
}

static void tell_message(struct sched_draft *d, const struct sched_world *w, const struct sched_rank_view *r)
{
    double limit = w->run->options->timeout_s;
    int rank = w->hanging;
    if (!r->host)
        sched_draft_message(d, "rank %d has not reached MPI_Init for %g s", rank, limit);
    else if (r->finalized)
        sched_draft_message(d, "rank %d has not ended for %g s after MPI_Finalize", rank, limit);
    else if (r->polls || r->accesses)
        sched_draft_message(d, "rank %d has only accessed windows for more than %g s; its last call: %s",
                            rank, limit, sched_last_call(r));
    else if (w->in_vain)
        sched_draft_message(d, "rank %d has polled in vain for %g s: %s", rank, limit, sched_last_call(r));
    else
        sched_draft_message(d, "rank %d has made no MPI call for %g s; its last: %s", rank, limit,
                            sched_last_call(r));
}

void sched_judge_hang(struct sched_world *w, const struct sched_autopsy *a)
{
    const struct sched_rank_view view = sched_world_rank(w, w->hanging), *r = &view;
    struct sched_draft *d = sched_draft_create(w->run, ISP_RULE_HANG);
    tell_message(d, w, r);
    sched_tell_state(d, w);
    if (a && a->stopped)
        sched_draft_line(d, "rank %d is stopped, by a signal or a debugger", w->hanging);
    if (a && a->text)
        sched_draft_lines(d, sched_strdup(a->text));
    sched_draft_rank(d, w->hanging);
    if (a && a->top)
        sched_draft_site(d, w->hanging, 0, a->top);
    if (r->fn)
        sched_draft_site(d, w->hanging, r->fn, r->site);
    sched_judge_end(d, "");
}

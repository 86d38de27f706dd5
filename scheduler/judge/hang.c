/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that hangs: what it does, by the stacks of its process while that is still there. */
#include <stdlib.h>
#include <time.h>

#include "absent.h"
#include "base/alloc.h"
#include "base/process.h"
#include "checkpoint/checkpoints.h"
#include "ends.h"
#include "findings/rule.h"
#include "isp/functions.h"
#include "loop.h"
#include "run/options.h"
#include "sites/stack.h"
#include "tell.h"
#include "words/words.h"

enum { LOOKS = 25, PAUSE_MS = 5 };

struct sched_autopsy {
    struct sched_loop loop;
    bool stopped; /* the one that hangs was, from outside */
    char *text;
};

static bool is_busy(const struct sched_world *w, int rank)
{
    const struct sched_rank_view view = sched_world_rank(w, rank), *r = &view;
    return r->host && sched_process_is_here(r->host) && !r->gone && !r->greets &&
           (!r->still || sched_checkpoints_acts(w, rank));
}

static void look(const struct sched_world *w, pid_t pid, struct sched_stack *stack)
{
    stack->n = sched_stack_of(pid, pid, w->run->sites, stack->frames, SCHED_STACK_MAX);
}

/* The first stack is known. Others of a process that is stopped, or sleeps, are the same. */
static struct sched_loop find_loop(const struct sched_world *w, pid_t pid, const struct sched_stack *first)
{
    struct sched_stack stacks[LOOKS] = {*first};
    for (size_t i = 1; i < LOOKS; i++) {
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000L}, NULL);
        look(w, pid, &stacks[i]);
    }
    return sched_loop_find(w->run->sites, stacks, LOOKS);
}

static void tell_stacks(struct sched_autopsy *a, char *const *texts, int n)
{
    const char **left = sched_alloc((size_t)n, sizeof *left);
    int *ranks = sched_alloc((size_t)n, sizeof *ranks);
    for (int i = 0; i < n; i++)
        left[i] = texts[i];
    for (int first = 0; first < n; first++) {
        size_t alike = sched_tell_alike(left, n, first, ranks);
        if (!alike)
            continue;
        char *who = sched_words_ranks(ranks, alike);
        sched_words_add(&a->text, "stack of %s:\n%s", who, texts[first]);
        free(who);
    }
    free(left);
    free(ranks);
}

struct sched_autopsy *sched_autopsy_create(struct sched_world *world)
{
    bool hangs = world->ending == SCHED_END_HANG;
    struct sched_absent absent = {.rank = -1};
    if ((hangs || world->ending == SCHED_END_DIED) && world->n_connected < world->n)
        absent = sched_absent_find(world);
    if (!hangs)
        return NULL;
    if (absent.rank >= 0)
        world->hanging = absent.rank;
    struct sched_autopsy *a = sched_alloc(1, sizeof *a);
    char **texts = sched_alloc((size_t)world->n, sizeof *texts);
    for (int i = 0; i < world->n; i++) {
        if (i == absent.rank ? !absent.pid : !is_busy(world, i))
            continue;
        struct sched_stack stack;
        pid_t pid = i == absent.rank ? absent.pid : sched_checkpoints_process(world, i);
        a->stopped |= i == world->hanging && sched_process_is_stopped(pid);
        look(world, pid, &stack);
        if (!stack.n)
            continue;
        if (i == world->hanging)
            a->loop = find_loop(world, pid, &stack);
        texts[i] = sched_tell_frames(world, stack.frames, stack.n);
    }
    tell_stacks(a, texts, world->n);
    for (int i = 0; i < world->n; i++)
        free(texts[i]);
    free(texts);
    return a;
}

void sched_autopsy_destroy(struct sched_autopsy *autopsy)
{
    if (autopsy) {
        free(autopsy->loop.name);
        free(autopsy->text);
    }
    free(autopsy);
}

static void tell_message(struct sched_draft *d, const struct sched_world *w, const struct sched_rank_view *r)
{
    double limit = w->hung_s;
    int rank = w->hanging;
    if (!r->host || r->greets)
        sched_draft_message(d, "rank %d %s for %g s", rank,
                            w->starts && w->starts[rank] == SCHED_START_BEFORE
                                ? "has not called MPI_Init"
                                : "has not come out of MPI_Init",
                            limit);
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
    if (a && a->loop.site)
        sched_draft_site(d, w->hanging, 0, a->loop.site);
    if (r->fn)
        sched_draft_site(d, w->hanging, r->fn, r->site);
    if (a && a->loop.name) { /* not the line, which is another one each time */
        sched_draft_key(d, "%s %u:" SCHED_KEY_SITE " %s", sched_rule_id(ISP_RULE_HANG), r->fn, r->site,
                        a->loop.name);
        sched_draft_end(d);
    } else
        sched_judge_end(d, "");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See absent.h. */
#include "absent.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "launch/launch.h"
#include "launch/rank_processes.h"
#include "loop.h"
#include "sites/stack.h"

/* By isp's wrapper, MPI or the name in front of PMPI. */
static bool is_within(struct sched_sites *sites, const uint32_t *frames, size_t n)
{
    static const char name[] = "MPI_Init";
    for (size_t i = 0; i < n; i++) {
        const char *function = sched_sites_find(sites, frames[i])->function;
        const char *init = function ? strstr(function, name) : NULL, *end = init ? init + strlen(name) : "?";
        if (strcmp(end, "") == 0 || strcmp(end, "_thread") == 0)
            return true;
    }
    return false;
}

static bool is_own(struct sched_sites *sites, const uint32_t *frames, size_t n)
{
    return sched_location_is_own(sched_sites_find(sites, frames[sched_stack_top(sites, frames, n)]));
}

/* Looks at one of the processes of a rank. It replaces the one before, which may only be what starts the
 * program, unless that one shows a line of the program's. */
static void look(struct sched_world *w, const struct sched_rank_process *process, pid_t *pid)
{
    enum sched_start *start = &w->starts[process->rank];
    uint32_t frames[SCHED_STACK_MAX];
    size_t n = sched_stack_of(process->pid, w->run->sites, frames, SCHED_STACK_MAX);
    bool within = is_within(w->run->sites, frames, n);
    if (*start == SCHED_START_NOWHERE)
        *start = SCHED_START_UNKNOWN;
    if (!n || (*pid && !within && !is_own(w->run->sites, frames, n)))
        return;
    *start = within ? SCHED_START_WITHIN : SCHED_START_BEFORE;
    *pid = process->pid;
}

static int first_at(const struct sched_world *w, enum sched_start start)
{
    for (int i = 0; i < w->n; i++)
        if (!sched_world_rank(w, i).host && w->starts[i] == start)
            return i;
    return -1;
}

struct sched_absent sched_absent_find(struct sched_world *w)
{
    struct sched_absent found = {.rank = -1};
    const struct sched_launch *launch = sched_world_launch(w);
    if (!launch)
        return found;
    pid_t *pids = sched_alloc((size_t)w->n, sizeof *pids);
    w->starts = sched_alloc((size_t)w->n, sizeof *w->starts);
    for (int i = 0; i < w->n; i++)
        w->starts[i] = SCHED_START_NOWHERE;
    struct sched_rank_process *list;
    size_t n = sched_rank_processes(launch->token, &list);
    for (size_t i = 0; i < n; i++)
        if (list[i].rank < w->n && !sched_world_rank(w, list[i].rank).host &&
            w->starts[list[i].rank] != SCHED_START_WITHIN)
            look(w, &list[i], &pids[list[i].rank]);
    found.rank = first_at(w, SCHED_START_BEFORE);
    if (found.rank < 0)
        found.rank = first_at(w, SCHED_START_NOWHERE);
    if (found.rank >= 0)
        found.pid = pids[found.rank];
    free(pids);
    free(list);
    return found;
}

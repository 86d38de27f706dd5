/* SPDX-License-Identifier: BSD-3-Clause */
/* See absent.h. */
#include "absent.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "launch/launch.h"
#include "launch/rank_processes.h"
#include "loop.h"
#include "run/options.h"
#include "sites/stack.h"

/* ---- one process ---- */

/* One of the frames is in a function of these names, as the program calls it, as isp or as MPI has it. */
static bool is_in(struct sched_sites *sites, const struct sched_stack *stack, const char *const *names)
{
    for (size_t i = 0; i < stack->n; i++) {
        const char *function = sched_sites_find(sites, stack->frames[i])->function, *isp = "isp_";
        if (!function)
            continue;
        function += strncmp(function, isp, strlen(isp)) == 0 ? strlen(isp) : function[0] == 'P';
        for (const char *const *name = names; *name; name++)
            if (strcmp(function, *name) == 0)
                return true;
    }
    return false;
}

/* Whatever its threads do, with the stack of the main one. */
static enum sched_start start_of(struct sched_sites *sites, pid_t pid, struct sched_stack *main)
{
    static const char *const inits[] = {"MPI_Init", "MPI_Init_thread", NULL},
                             *const sessions[] = {"MPI_Session_init", NULL},
                             *const starts[] = {
                                 "main", "MAIN__", "_start", "__libc_start_main_impl", "__libc_start_main",
                                 NULL};
    main->n = sched_stack_of(pid, pid, sites, main->frames, SCHED_STACK_MAX);
    enum sched_start start = is_in(sites, main, starts) ? SCHED_START_BEFORE : SCHED_START_UNKNOWN;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));) {
        pid_t thread = (pid_t)atoi(entry->d_name);
        struct sched_stack stack = {.n = 0};
        if (thread == pid)
            stack = *main;
        else if (thread > 0)
            stack.n = sched_stack_of(pid, thread, sites, stack.frames, SCHED_STACK_MAX);
        if (is_in(sites, &stack,
                  sessions)) /* isp has it call MPI_Init_thread, and the others need not come */
            start = SCHED_START_UNKNOWN;
        else if (is_in(sites, &stack, inits))
            start = SCHED_START_WITHIN;
        else
            continue;
        break;
    }
    if (threads)
        closedir(threads);
    return start;
}

static bool is_own(struct sched_sites *sites, const struct sched_stack *s)
{
    return s->n &&
           sched_location_is_own(sched_sites_find(sites, s->frames[sched_stack_top(sites, s->frames, s->n)]));
}

/* Of the processes of a rank, the one that tells most so far. */
struct seen {
    pid_t pid; /* 0: there is none */
    bool own;  /* it shows a line of the user's */
};

/* Looks at one more of them. The one before may only be what starts the program; or this one is what the
 * program has started, and tells nothing of it. */
static void look(struct sched_world *w, const struct sched_rank_process *process, struct seen *seen)
{
    enum sched_start *known = &w->starts[process->rank];
    struct sched_stack stack;
    enum sched_start start = start_of(w->run->sites, process->pid, &stack);
    bool own = is_own(w->run->sites, &stack), hidden = seen->pid && *known == SCHED_START_UNKNOWN;
    if (*known == SCHED_START_WITHIN || (start != SCHED_START_WITHIN && !own && (seen->own || hidden)))
        return;
    *known = start;
    *seen = (struct seen){process->pid, own};
}

/* ---- all ---- */

static bool is_absent(const struct sched_world *w, int rank)
{
    struct sched_rank_view view = sched_world_rank(w, rank);
    return !view.initialized && !view.gone;
}

static int first_at(const struct sched_world *w, enum sched_start start)
{
    for (int i = 0; i < w->n; i++)
        if (is_absent(w, i) && w->starts[i] == start)
            return i;
    return -1;
}

struct sched_absent sched_absent_find(struct sched_world *w)
{
    struct sched_absent found = {.rank = -1};
    const struct sched_launch *launch = sched_world_launch(w);
    if (!launch)
        return found;
    bool here = !w->run->options->tcp && sched_rank_processes_are_all();
    struct seen *seen = sched_alloc((size_t)w->n, sizeof *seen);
    w->starts = sched_alloc((size_t)w->n, sizeof *w->starts);
    struct sched_rank_process *list;
    size_t n = sched_rank_processes(launch->token, &list);
    for (int i = 0; i < w->n; i++) /* a launcher may have other variables */
        w->starts[i] = here && n ? SCHED_START_NOWHERE : SCHED_START_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        if (list[i].rank < w->n && !sched_world_rank(w, list[i].rank).initialized)
            look(w, &list[i], &seen[list[i].rank]);
    found.rank = first_at(w, SCHED_START_BEFORE);
    if (found.rank < 0)
        found.rank = first_at(w, SCHED_START_NOWHERE);
    if (found.rank >= 0)
        found.pid = seen[found.rank].pid;
    free(seen);
    free(list);
    return found;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See rank_processes.h. */
#include "rank_processes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/wire.h"
#include "processes.h"

static const char *const variables[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"};
enum { VARIABLES = sizeof variables / sizeof *variables };

/* The rank by its environment, or -1. */
static int rank_of(pid_t pid, const char *token)
{
    char path[64], *line = NULL;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    FILE *in = fopen(path, "re");
    size_t room = 0, name = strlen(ISP_ENV_TOKEN);
    bool ours = false;
    int ranks[VARIABLES] = {-1, -1, -1}, rank = -1;
    while (in && getdelim(&line, &room, '\0', in) > 0) {
        ours = ours || (strncmp(line, ISP_ENV_TOKEN, name) == 0 && line[name] == '=' &&
                        strcmp(line + name + 1, token) == 0);
        for (int i = 0; i < VARIABLES; i++)
            if (strncmp(line, variables[i], strlen(variables[i])) == 0 && line[strlen(variables[i])] == '=')
                ranks[i] = atoi(line + strlen(variables[i]) + 1);
    }
    for (int i = VARIABLES - 1; ours && i >= 0; i--)
        rank = ranks[i] >= 0 && !getenv(variables[i]) ? ranks[i] : rank;
    free(line);
    if (in)
        fclose(in);
    return rank;
}

bool sched_rank_processes_are_all(void)
{
    for (int i = 0; i < VARIABLES; i++)
        if (getenv(variables[i]))
            return false;
    return true;
}

size_t sched_rank_processes(const char *token, struct sched_rank_process **list)
{
    struct sched_process *all;
    size_t n_all = sched_processes_list(&all), n = 0;
    struct sched_rank_process *found = sched_alloc(n_all + 1, sizeof *found);
    for (size_t i = 0; i < n_all; i++) {
        int rank = all[i].parent > 0 ? rank_of(all[i].pid, token) : -1;
        if (rank >= 0)
            found[n++] = (struct sched_rank_process){.pid = all[i].pid, .rank = rank};
    }
    free(all);
    *list = found;
    return n;
}

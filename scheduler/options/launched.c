/* SPDX-License-Identifier: BSD-3-Clause */
#include "launched.h"

#include <stdlib.h>
#include <string.h>

#include "isp/verdict.h"
#include "launch/program.h"
#include "run/options.h"
#include "settings.h"
#include "values.h"

/* MPICH's has the names that isp knows by itself; others are to be named by --mpiexec. */
static bool is_named(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(sched_program_base(word), *names) == 0)
            return true;
    return false;
}

static const char *const own[] = {"mpiexec",       "mpirun",       "mpiexec.hydra",
                                  "mpiexec.mpich", "mpirun.mpich", NULL},
                         *const others[] = {"srun", "orterun", "prun", "aprun", "jsrun", NULL};

static bool is_count(const char *word) { return strcmp(word, "-n") == 0 || strcmp(word, "-np") == 0; }

/* Another MPICH than the one that `mpiexec` is. */
static bool is_other(const char *word)
{
    if (!strchr(word, '/'))
        return false;
    char *usual = sched_program_find("mpiexec"), *a = usual ? realpath(usual, NULL) : NULL,
         *b = realpath(word, NULL);
    bool same = a && b && strcmp(a, b) == 0;
    free(usual);
    free(a);
    free(b);
    return !same;
}

bool sched_launched_read(char **words, struct sched_launched *launched)
{
    *launched = (struct sched_launched){0};
    bool known = words && is_named(words[0], own);
    if (!words || (!known && !is_named(words[0], others)))
        return false;
    size_t i = 1;
    long n;
    while (words[i] && words[i + 1] && is_count(words[i]) &&
           sched_read_whole(words[i + 1], 1, SCHED_RANKS_MAX, &n)) {
        launched->ranks = words[i + 1];
        i += 2;
    }
    bool parts = false;
    for (size_t k = i; words[k]; k++)
        parts |= strcmp(words[k], ":") == 0;
    if (!known || parts || !words[i] || words[i][0] == '-')
        sched_refuse("isp starts %s by itself: isp -n N --mpiexec \"%s ITS OPTIONS\" program%s", words[0],
                     words[0], parts ? " (one for all ranks)" : "");
    launched->program = &words[i];
    launched->mpiexec = is_other(words[0]) ? words[0] : NULL;
    return true;
}

void sched_launched_refuse_ranks(char **words)
{
    static const char *const variables[][2] = {{"PMI_SIZE", "PMI_RANK"},
                                               {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *size = getenv(variables[i][0]), *rank = getenv(variables[i][1]);
        long n, number;
        if (!size || !rank || !sched_read_whole(size, 2, SCHED_RANKS_MAX, &n) ||
            !sched_read_whole(rank, 0, n, &number))
            continue;
        if (number > 0)
            exit(ISP_EXIT_USAGE);
        sched_refuse("isp starts mpiexec by itself: type isp -n %ld %s", n, words ? words[0] : "program");
    }
}

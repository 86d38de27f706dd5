/* SPDX-License-Identifier: BSD-3-Clause */
/* What is typed as for MPI's own launcher: `isp mpiexec -n 3 ./app`, and `mpiexec -n 3 isp ./app`. */
#ifndef SCHED_LAUNCHED_H
#define SCHED_LAUNCHED_H

#include <stdbool.h>

/* A command that is a launcher with its words. */
struct sched_launched {
    const char *ranks;   /* the N of its -n N */
    char **program;      /* what follows its options */
    const char *mpiexec; /* its path, if it is another than the one isp takes by itself; else NULL */
};

/* Whether the command is one; if it cannot be understood, isp ends with one line that says what to type. */
bool sched_launched_read(char **words, struct sched_launched *launched);

/* Ends if isp itself was started several times by a launcher. */
void sched_launched_refuse_ranks(char **words);

#endif

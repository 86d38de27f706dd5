/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that is judged as those of the search are, and has its findings in a part of its own. That it could
 * not be made, or hangs, is no matter of the search; an interrupt is. */
#ifndef SCHED_ASIDE_H
#define SCHED_ASIDE_H

#include "explore.h"

/* What is the search's own meanwhile. */
struct sched_aside {
    struct sched_result *result;
    bool stop;
    enum sched_stop bound;
    int failed;
    char *error;
};

/* `part`, which is made, is x->engine.result until the end. */
struct sched_aside sched_aside_begin(struct sched_explore *x, struct sched_result *part);
void sched_aside_end(struct sched_explore *x, const struct sched_aside *aside);

#endif

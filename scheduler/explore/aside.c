/* SPDX-License-Identifier: BSD-3-Clause */
/* See aside.h. */
#include "aside.h"

#include <stdlib.h>

struct sched_aside sched_aside_begin(struct sched_explore *x, struct sched_result *part)
{
    struct sched_aside a = {x->engine.result, x->stop, x->bound, x->failed, x->error};
    sched_part_init(part, x->engine.options, x->engine.result->sites);
    x->engine.result = part;
    x->error = NULL;
    return a;
}

void sched_aside_end(struct sched_explore *x, const struct sched_aside *a)
{
    free(x->error);
    x->engine.result = a->result;
    x->stop = a->stop || x->engine.interrupted;
    x->bound = a->bound;
    x->failed = a->failed;
    x->error = a->error;
}

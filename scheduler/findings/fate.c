/* SPDX-License-Identifier: BSD-3-Clause */
#include "fate.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "moment.h"

struct sched_fate *sched_fate_create(void) { return sched_alloc(1, sizeof(struct sched_fate)); }

void sched_fate_destroy(struct sched_fate *fate)
{
    if (fate) {
        free(fate->before);
        free(fate->after);
        sched_path_destroy(fate->path);
    }
    free(fate);
}

struct sched_fate *sched_fate_copy(const struct sched_fate *fate)
{
    if (!fate)
        return NULL;
    struct sched_fate *copy = sched_fate_create();
    copy->before = fate->before ? sched_strdup(fate->before) : NULL;
    copy->after = fate->after ? sched_strdup(fate->after) : NULL;
    copy->shown = fate->shown;
    copy->path = sched_path_copy(fate->path, 0);
    return copy;
}

static int compare(const char *a, const char *b)
{
    return sched_moment_compare((struct sched_moment){false, a}, (struct sched_moment){false, b});
}

void sched_fate_meet(struct sched_fate *fate, const char *first, const char *run)
{
    int side = compare(run, first);
    char **nearest = side < 0 ? &fate->before : &fate->after;
    if (side == 0 || (*nearest && (compare(run, *nearest) < 0) == (side < 0)))
        return;
    char *name = sched_strdup(run);
    free(*nearest);
    *nearest = name;
}

bool sched_fate_parting(const struct sched_fate *fate, const char *first, unsigned *decision,
                        const char **other)
{
    unsigned before, after;
    bool has_before = fate->before && sched_moment_parting(first, fate->before, &before);
    bool has_after = fate->after && sched_moment_parting(first, fate->after, &after);
    bool is_before = has_before && (!has_after || before >= after);
    if (!has_before && !has_after)
        return false;
    *decision = is_before ? before : after;
    *other = is_before ? fate->before : fate->after;
    return true;
}

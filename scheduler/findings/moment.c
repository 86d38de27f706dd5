/* SPDX-License-Identifier: BSD-3-Clause */
#include "moment.h"

#include <stdlib.h>
#include <string.h>

#include "poe/search.h"

/* As strcmp; *at is the decision at which they differ. */
static int compare_names(const char *a, const char *b, unsigned *at)
{
    unsigned *x = NULL, *y = NULL;
    int n = poe_choices_parse(a, &x), m = poe_choices_parse(b, &y), order = 0;
    for (int i = 0; (i < n || i < m) && order == 0; i++) {
        unsigned p = i < n ? x[i] : 0, q = i < m ? y[i] : 0;
        order = (p > q) - (p < q);
        *at = (unsigned)i;
    }
    free(x);
    free(y);
    return order;
}

int sched_moment_compare(struct sched_moment a, struct sched_moment b)
{
    if (!a.interleaving || !b.interleaving)
        return (!a.interleaving) - (!b.interleaving);
    if (a.buffered != b.buffered)
        return (int)a.buffered - (int)b.buffered;
    unsigned at;
    return strcmp(a.interleaving, b.interleaving) == 0 ? 0
                                                       : compare_names(a.interleaving, b.interleaving, &at);
}

bool sched_moment_parting(const char *a, const char *b, unsigned *decision)
{
    return compare_names(a, b, decision) != 0;
}

unsigned sched_moment_decision(const char *interleaving, unsigned decision)
{
    unsigned *all = NULL;
    int n = poe_choices_parse(interleaving, &all);
    unsigned taken = n > 0 && decision < (unsigned)n ? all[decision] : 0;
    free(all);
    return taken;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "moment.h"

#include <stdlib.h>
#include <string.h>

#include "poe/search.h"

static int compare_names(const char *a, const char *b)
{
    unsigned *x = NULL, *y = NULL;
    int n = poe_choices_parse(a, &x), m = poe_choices_parse(b, &y), order = 0;
    for (int i = 0; (i < n || i < m) && order == 0; i++) {
        unsigned p = i < n ? x[i] : 0, q = i < m ? y[i] : 0;
        order = (p > q) - (p < q);
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
    return strcmp(a.interleaving, b.interleaving) == 0 ? 0 : compare_names(a.interleaving, b.interleaving);
}

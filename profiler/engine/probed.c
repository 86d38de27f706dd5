/* SPDX-License-Identifier: BSD-3-Clause */
#include "probed.h"

#include <stdint.h>

enum { MOST = 16 };

static struct prof_probed all[MOST];
static uint32_t n_all;
static bool any_may_be; /* there was no room for another one */

static uint32_t find(struct prof_probed m)
{
    uint32_t i = 0;
    while (i < n_all && (all[i].comm != m.comm || all[i].source != m.source || all[i].tag != m.tag))
        i++;
    return i;
}

bool prof_probed_is_known(struct prof_probed m) { return any_may_be || find(m) < n_all; }

void prof_probed_note(struct prof_probed m)
{
    if (prof_probed_is_known(m))
        return;
    if (n_all == MOST)
        any_may_be = true;
    else
        all[n_all++] = m;
}

void prof_probed_forget(struct prof_probed m)
{
    uint32_t i = find(m);
    if (i < n_all)
        all[i] = all[--n_all];
}

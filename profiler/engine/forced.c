/* SPDX-License-Identifier: BSD-3-Clause */
#include "forced.h"

#include "base/alloc.h"
#include "link/uplink.h"
#include "tables/communicators.h"

static struct isp_outcome *all; /* by index */
static uint32_t n_all;
static uint64_t n_asked; /* polls among so many transitions are isp's to answer */

void prof_forced_begin(void)
{
    struct isp_reader in = prof_link_forced();
    size_t words = (size_t)(in.end - in.at) / 4;
    uint32_t *room = prof_alloc(words + 1, sizeof *room);
    n_all = isp_get_u32(&in);
    if (n_all > words)
        prof_link_broken();
    all = prof_alloc(n_all + 1, sizeof *all);
    for (uint32_t i = 0; i < n_all && in.ok; i++) {
        isp_get_outcome(&in, &all[i], room, (uint32_t)words);
        if (all[i].source < ISP_NO_RANK || all[i].source >= prof_world_size)
            prof_link_broken();
        room += all[i].n;
        words -= all[i].n;
    }
    n_asked = isp_get_u64(&in);
    if (!in.ok)
        prof_link_broken();
}

bool prof_forced_is_asked(uint64_t index) { return index < n_asked; }

const struct isp_outcome *prof_forced_find(uint64_t index)
{
    uint32_t from = 0, to = n_all;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (all[middle].index < index)
            from = middle + 1;
        else
            to = middle;
    }
    return from < n_all && all[from].index == index ? &all[from] : NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that a world shares with its ranks on this host: isp/ring.h. */
#ifndef SCHED_RINGS_H
#define SCHED_RINGS_H

#include <stddef.h>

#include "isp/ring.h"

struct sched_rings {
    int fd, n;
    struct isp_ring_head *head;
};

/* NULL: there is no such memory to be had. */
struct sched_rings *sched_rings_create(int n);
void sched_rings_destroy(struct sched_rings *rings);

struct isp_ring_slot *sched_rings_slot(const struct sched_rings *rings, int rank);

#endif

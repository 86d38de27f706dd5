/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Partitioned communication (MPI-4.0, chapter 4): persistent requests that match by the order of their
 * initialization. The message is one, and goes when its last partition is ready: the number of partitions is
 * each side's own business.
 */
#ifndef PROF_PARTITIONED_H
#define PROF_PARTITIONED_H

#include <stdbool.h>

struct prof_persistent;

/* What a partitioned request has beside an ordinary persistent one. */
struct prof_partitions {
    int n;
    int missing; /* of the active send: partitions that are not ready */
    bool *ready;
};

/* The request starts: no partition is ready. Returns flags for its record. */
unsigned prof_partitions_start(struct prof_persistent *p);
void prof_partitions_destroy(struct prof_partitions *partitions);

#endif

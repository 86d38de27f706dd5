/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Partitioned communication (MPI-4.0, chapter 4): persistent requests that match by the order of their
 * initialization. The message as a whole goes when its last partition is ready. Before that its data goes in
 * units (isp/call.h), so that single partitions can arrive: both sides cut into the greatest common divisor
 * of its size and 48, if a partition is a number of these; else into their own partitions. The receiver has
 * the units in memory of isp's until MPI_Parrived says that the partition is there, and then leaves that part
 * of the buffer to the program.
 */
#ifndef PROF_PARTITIONED_H
#define PROF_PARTITIONED_H

#include <mpi.h>
#include <stdbool.h>

struct prof_op;
struct prof_persistent;

/* What a partitioned request has beside an ordinary persistent one. */
struct prof_partitions {
    int n;
    int missing; /* of the active send: partitions that are not ready */
    bool *ready;
    int units;             /* 0: it only goes as a whole */
    MPI_Count bytes;       /* of the message */
    bool *told;            /* of a receive: the program knows that the partition has arrived */
    char *memory;          /* ... the units */
    struct prof_op **unit; /* ... their receives, while it is active */
    bool aside;            /* ... the whole is received into `memory` */
};

/* The request starts: no partition is ready. Returns flags for its record. */
unsigned prof_partitions_start(struct prof_persistent *p);
/* It has started: p->active. */
void prof_partitions_started(struct prof_persistent *p);
/* The program is told that it is complete, or has freed the request. */
void prof_partitions_end(struct prof_persistent *p);
/* The whole receive is given to MPI; it is done. */
void prof_partitions_issue(struct prof_op *op);
void prof_partitions_arrived(struct prof_op *op);
void prof_partitions_destroy(struct prof_partitions *partitions);

#endif

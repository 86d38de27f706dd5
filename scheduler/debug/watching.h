/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The changes of bytes in a run of their rank up to a spot: how many there were, and a second run to the last
 * one. gdb counts them by itself, by a watchpoint whose condition is never true: 100,000 take some seconds.
 *
 * An address may have belonged to others before: another call of a function had its variable there, or
 * another block of memory was there. So it is also counted how often the bytes were *born*: the function
 * whose frame they are in was entered, or memory with them was freed.
 */
#ifndef SCHED_DEBUG_WATCHING_H
#define SCHED_DEBUG_WATCHING_H

#include "spot.h"
#include "why.h"

/* Whose bytes they are. */
struct sched_owner {
    char *function;      /* in a frame of it; NULL: in none */
    uint64_t entry, cfa; /* of that */
    bool heap;           /* memory that was allocated */
};

struct sched_changes {
    long all, births;
    long before_birth;          /* changes before the last birth */
    char first[SCHED_WHY_MOST]; /* the bytes in MPI_Init */
};

/* As the rank stands at present. */
void sched_owner_find(struct sched_session *session, const struct sched_bytes *bytes,
                      struct sched_owner *owner);
void sched_owner_finish(struct sched_owner *owner);

/* Runs to the spot, and stays there. False: session->why. */
bool sched_changes_count(struct sched_session *session, const struct sched_spot *spot,
                         const struct sched_bytes *bytes, const struct sched_owner *owner,
                         struct sched_changes *changes);
/* Runs to the change (or birth) of this number, from 1: the rank stands behind it. */
bool sched_changes_go(struct sched_session *session, const struct sched_spot *spot,
                      const struct sched_bytes *bytes, long number);
bool sched_births_go(struct sched_session *session, const struct sched_spot *spot,
                     const struct sched_bytes *bytes, const struct sched_owner *owner, long number);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The last message of each rank that each other rank took by a wildcard, in this run: for a later receive
 * that waits for it in vain. */
#ifndef SCHED_CHECK_TAKEN_H
#define SCHED_CHECK_TAKEN_H

#include "isp/call.h"

struct sched_taken;
struct poe_transition;

struct sched_taken_message {
    struct isp_call receive; /* without its list */
    int32_t send_comm, send_tag;
};

/* *taken is made if need be; a receive that is no wildcard changes nothing. */
void sched_taken_note(struct sched_taken **taken, int ranks, const struct poe_transition *send,
                      const struct poe_transition *receive);
/* NULL: there was none, or `taken` is NULL. */
const struct sched_taken_message *sched_taken_find(const struct sched_taken *taken, int rank, int source);
struct sched_taken *sched_taken_copy(const struct sched_taken *taken, int ranks);
void sched_taken_destroy(struct sched_taken *taken);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks of this run have done so far, by place: for the words about one that now waits in vain. Its
 * size depends on the places of the program and on the ranks, not on how long the run is. */
#ifndef SCHED_CHECK_DEEDS_H
#define SCHED_CHECK_DEEDS_H

#include <stdbool.h>

#include "isp/call.h"

struct sched_deeds;
struct poe_transition;

/* The sends, or the receives, that a rank has called at one place: those that matched, or (null) those with
 * MPI_PROC_NULL. */
struct sched_deed {
    int rank;
    uint8_t op;      /* ISP_OP_SEND, ISP_OP_RECV */
    bool null, told; /* told: by the rank, of a call without a record (ISP_MSG_NOBODY) */
    uint16_t fn;
    uint32_t site;
    uint64_t count;
    uint64_t index;    /* of the last one, in the program order of the rank */
    int32_t comm, tag; /* its message's */
    int partner;       /* the rank that it matched with, and its call */
    uint16_t partner_fn;
    uint32_t partner_site;
};

struct sched_last_call {
    uint16_t fn; /* 0: none */
    uint32_t site;
};

/* The last message of a rank that another one took by a wildcard. */
struct sched_taken_message {
    struct isp_call receive; /* without its list */
    int32_t send_comm, send_tag;
};

/* A persistent request, where it was made, and its message as in its record. */
struct sched_made {
    int rank;
    uint16_t fn;
    uint32_t site;
    int32_t comm, peer, tag;
};

/* *deeds is made if need be. */
void sched_deeds_call(struct sched_deeds **deeds, int ranks, int rank, const struct isp_call *call);
void sched_deeds_match(struct sched_deeds **deeds, int ranks, const struct poe_transition *send,
                       const struct poe_transition *receive);
/* A call with MPI_PROC_NULL, of which there is no record. */
void sched_deeds_nobody(struct sched_deeds **deeds, int ranks, struct sched_deed deed);
/* It is started. */
void sched_deeds_started(struct sched_deeds **deeds, int ranks, const struct sched_made *request);
/* It is waited for, and was never started. Its message is not known. */
void sched_deeds_unstarted(struct sched_deeds **deeds, int ranks, const struct sched_made *request);
struct sched_deeds *sched_deeds_copy(const struct sched_deeds *deeds);
void sched_deeds_destroy(struct sched_deeds *deeds);

/* `deeds` may be NULL. */

/* All, in no order; `see` may keep them as long as nothing happens. */
void sched_deeds_each(const struct sched_deeds *deeds,
                      void (*see)(const struct sched_deed *deed, void *context), void *context);
/* The last call of the rank but for MPI_Finalize. */
struct sched_last_call sched_deeds_last(const struct sched_deeds *deeds, int rank);
/* NULL: there was none. */
const struct sched_taken_message *sched_deeds_taken(const struct sched_deeds *deeds, int rank, int source);
bool sched_made_receives(const struct sched_made *request);
/* What made the request of this operation; NULL: it is not known, or has none that is persistent. */
const struct sched_made *sched_deeds_maker(const struct sched_deeds *deeds,
                                           const struct poe_transition *operation);
/* Those that were never started, in the order in which they were told; NULL after the last one. */
const struct sched_made *sched_deeds_next_unstarted(const struct sched_deeds *deeds,
                                                    const struct sched_made *before);

#endif

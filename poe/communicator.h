/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Communicators: members, and the queues that belong to each of them. An *inbox* is one
 * destination on one communicator: its unmatched receives in program order, and one channel
 * (unmatched sends, in program order) per source that has sent there.
 *
 * What a communicator takes grows with its members and with who sends to whom, not with the world's ranks
 * for each of them: there are thousands.
 */
#ifndef POE_COMMUNICATOR_H
#define POE_COMMUNICATOR_H

#include "state.h"

struct poe_channel {
    int source; /* world rank */
    struct poe_op *first, *last;
};

struct poe_inbox {
    struct poe_op *first, *last;  /* unmatched receives */
    struct poe_channel *channels; /* in order of their source */
    uint32_t n_channels, channels_room;
    uint32_t wildcards; /* how many of the receives are open */
    bool probed;        /* some message may be `seen` */
    bool any_tag;       /* something was called that takes any tag */
};

struct poe_instance; /* collective.h */

struct poe_comm {
    int number, n;
    int n_first;  /* intercommunicator: how many of the members are its first side; else 0 */
    int *members; /* world ranks in its rank order */
    int *sorted;  /* places in order of their members; NULL: that is their own order */
    uint64_t key;
    uint16_t maker;                    /* the function that made it, 0: none did */
    uint32_t made;                     /* ... and its site */
    struct poe_inbox *inboxes;         /* by place */
    uint64_t *calls;                   /* by place: collective calls so far */
    struct poe_instance *first, *last; /* collectives that some members have called */
};

uint64_t poe_mix(uint64_t a, uint64_t b); /* a hash of both */

struct poe_comm *poe_comm_create(struct poe *poe, const int *members, int n, uint64_t key);
struct poe_comm *poe_comm_find(const struct poe *poe, int number);
/* -1 if the rank is not a member. */
int poe_comm_place(const struct poe_comm *comm, int rank);
/* NULL if the rank is not a member. */
struct poe_inbox *poe_comm_inbox(struct poe_comm *comm, int rank);
/* The channel of a source; it lasts until another source sends for the first time. */
struct poe_channel *poe_inbox_channel(struct poe *poe, struct poe_inbox *inbox, int source);
/* NULL: nothing has come from there. */
struct poe_channel *poe_inbox_find(const struct poe_inbox *inbox, int source);

void poe_channel_append(struct poe_channel *channel, struct poe_op *send);
void poe_channel_remove(struct poe_channel *channel, struct poe_op *send);
void poe_inbox_open(struct poe *poe, struct poe_inbox *inbox, struct poe_op *receive);
void poe_inbox_append(struct poe *poe, struct poe_inbox *inbox, struct poe_op *receive);
void poe_inbox_remove(struct poe *poe, struct poe_inbox *inbox, struct poe_op *receive);

#endif

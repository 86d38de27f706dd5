/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One run as it was: the events of each rank, and which of them matched. It listens to a run while that is
 * made; afterwards everything the debugger knows of time comes from here.
 *
 * An event is a call of MPI of a rank, by the index of its transition: rank:number, as the page and the trace
 * have it. (MPI_Sendrecv is two.) Of a rank with several threads only the first one's are there.
 */
#ifndef SCHED_DEBUG_RECORD_H
#define SCHED_DEBUG_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isp/call.h"
#include "poe/poe.h"
#include "run/listener.h"

#define SCHED_RECORD_NONE UINT32_MAX
enum { SCHED_RECORD_PUTS_MOST = 1 << 20 };

struct sched_record_event {
    struct isp_call call; /* with a list and a map of its own */
    uint32_t match;       /* which of the matches it was in, from 1; of a send never a probe's; 0: in none */
    uint32_t answer;      /* which of the answers it got, from 1; 0: none */
    uint32_t *named;      /* the events that its handles name (call.n of them, or one for `handle`) ... */
    uint32_t n_named;     /* ... SCHED_RECORD_NONE where that is unknown */
    bool cancelled;       /* MPI_Cancel was successful */
};

struct sched_record_name {
    int rank;
    uint32_t number;
};

/* A send or receive that was held back goes from here on (ISP_OP_READY, which is no event). */
struct sched_record_ready {
    uint32_t operation, before; /* the number of the rank's next event */
};

/* Bytes of a rank that another one has written by a window. */
struct sched_record_put {
    struct sched_record_name before; /* the origin's next event */
    uint16_t fn;
    uint32_t site;
    int target;
    uint64_t at, length;
};

struct sched_record_match {
    struct sched_record_name *members; /* of a message: the send, then the receive (or probe) */
    unsigned n;
    bool message;
};

/* A choice point: what its event could take, and which of them it took (n: it was put off). */
struct sched_record_choice {
    struct sched_record_name of;
    struct poe_alternative *alternatives; /* with positions of their own; `send` is not kept */
    unsigned n, taken;
};

/* A communicator of collectives or messages, by its number. */
struct sched_record_comm {
    int number, *members; /* in its rank order; of an intercommunicator both sides */
    unsigned n;
};

struct sched_record {
    int ranks;
    struct sched_record_rank {
        struct sched_record_event *events;
        uint32_t n;
        struct sched_record_ready *readies;
        uint32_t n_readies;
        bool threads; /* other threads of it have called */
    } * of;
    struct sched_record_match *matches;
    uint32_t n_matches;
    struct isp_result *answers; /* with lists of their own */
    uint32_t n_answers;
    struct sched_record_choice *choices; /* in the order of their decisions, one for each */
    uint32_t n_choices;
    struct sched_record_comm *comms;
    uint32_t n_comms;
    struct sched_record_put *puts; /* in no order between ranks; at most SCHED_RECORD_PUTS_MOST */
    uint32_t n_puts;
    struct sched_record_name *locks; /* in the order in which they were granted */
    uint32_t n_locks;
};

struct sched_record *sched_record_create(int ranks);
void sched_record_destroy(struct sched_record *record);
extern const struct sched_listener sched_record_listener;

/* The choice point at which an event took what it took, by the number of its decision; -1: it had no
 * choice. */
int64_t sched_record_choice_of(const struct sched_record *record, struct sched_record_name name);

/* NULL: there is none such. */
const struct sched_record_event *sched_record_find(const struct sched_record *record,
                                                   struct sched_record_name name);

/* The other end of a message. False: it is none, or nobody had it. */
bool sched_record_partner(const struct sched_record *record, struct sched_record_name of,
                          struct sched_record_name *partner);

#endif

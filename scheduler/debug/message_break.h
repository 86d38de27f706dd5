/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a breakpoint at messages is about, as it is typed, and whether an event is of that kind:
 *
 *     send [to=R] [tag=T] [comm=C]
 *     recv [from=R|any] [tag=T|any] [comm=C]     any: MPI_ANY_SOURCE, MPI_ANY_TAG were given; R and T also
 *                                                if they were, and a message of that rank or tag was taken
 *     collective [MPI_X] [comm=C]
 *     choice                                     something else could be taken
 *
 * Ranks are those of MPI_COMM_WORLD. C is world, self, or the ranks of the communicator: 0,2-3.
 */
#ifndef SCHED_DEBUG_MESSAGE_BREAK_H
#define SCHED_DEBUG_MESSAGE_BREAK_H

#include <stdbool.h>

#include "isp/call.h"

enum sched_message_kind {
    SCHED_MESSAGE_SEND,
    SCHED_MESSAGE_RECV,
    SCHED_MESSAGE_COLLECTIVE,
    SCHED_MESSAGE_CHOICE
};

enum { SCHED_MESSAGE_WHATEVER = -10 }; /* a rank or a tag that is not asked for */

struct sched_message_break {
    enum sched_message_kind kind;
    int peer, tag; /* also ISP_ANY_SOURCE, ISP_ANY_TAG */
    uint16_t fn;   /* of a collective; 0: any */
    enum { SCHED_COMM_WHATEVER, SCHED_COMM_WORLD, SCHED_COMM_SELF, SCHED_COMM_OF } comm;
    bool *members; /* of SCHED_COMM_OF: of each rank */
    int ranks;
};

/* What is known of an event. */
struct sched_message_event {
    int rank;
    const struct isp_call *call;
    int from, tag; /* of the message that a receive has got; SCHED_MESSAGE_WHATEVER: it got none */
    bool is_choice;
    const int *members; /* of its communicator; n 0: they are not known */
    unsigned n;
};

/* Whether it is a place in the program, or begins as one of those above. */
bool sched_message_break_is(const char *text);
/* False: *why is a line that says how it is written; caller frees. To be finished if true. */
bool sched_message_break_parse(struct sched_message_break *b, const char *text, int ranks, char **why);
void sched_message_break_finish(struct sched_message_break *b);

bool sched_message_break_matches(const struct sched_message_break *b, const struct sched_message_event *e);

#endif

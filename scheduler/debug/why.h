/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a value came from: which line wrote these bytes last on their rank, by hardware watchpoint in a run
 * up to the spot; and if that was MPI, which message brought them, and where its bytes were on the sender.
 * Asked again there it goes on, over as many ranks as it takes.
 */
#ifndef SCHED_DEBUG_WHY_H
#define SCHED_DEBUG_WHY_H

#include "session.h"

enum { SCHED_WHY_MOST = 8 }; /* bytes that are watched: of something larger, its first ones */

/* Bytes of a rank, at the present time. */
struct sched_bytes {
    int rank;
    uint64_t address, size;
};

enum sched_why_kind {
    SCHED_WHY_LINE,    /* a line of the program: the rank stands behind it */
    SCHED_WHY_MESSAGE, /* the receive `got` of what `sent` sends: the sender stands there, `from` are its
                          bytes */
    SCHED_WHY_CALL,    /* a call of MPI (`got`) whose data cannot be followed by address: a collective, say */
    SCHED_WHY_NEVER,   /* nobody has written it since MPI_Init */
};

struct sched_why {
    enum sched_why_kind kind;
    struct sched_record_name got, sent;
    struct sched_bytes from;
};

/* The bytes of an expression, as the focus' frame `index` sees it. */
bool sched_why_bytes(struct sched_session *session, int index, const char *expression,
                     struct sched_bytes *bytes);
/* Goes where they were written. False: session->why. */
bool sched_why_ask(struct sched_session *session, const struct sched_bytes *bytes, struct sched_why *answer);
/* What of the present frames of their rank these bytes are in: "total", "part of field[3]"; NULL: not known.
 * Caller frees. */
char *sched_why_name(struct sched_session *session, const struct sched_bytes *bytes);

#endif

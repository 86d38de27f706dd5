/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a value came from: which line changed these bytes last on their rank, by hardware watchpoint in a run
 * up to the spot; and if that was MPI, which ranks gave it, and where it was there (origin.h). Asked again
 * there it goes on, over as many ranks as it takes.
 *
 * gdb tells of the writes that have changed something. So a line is told that gave the bytes their value; one
 * that wrote the same again is not. A call of MPI that has brought the same again is told, since the record
 * knows it: a 0 that came into a buffer of zeros has come. What the kernel writes (a large message, read())
 * and what other processes write is not seen: but then the value is another one than after the last change,
 * and if the record has a call that brought it, that is told.
 */
#ifndef SCHED_DEBUG_WHY_H
#define SCHED_DEBUG_WHY_H

#include "origin.h"
#include "session.h"

/* Bytes that are watched, as many as the processor can (x86-64: four registers of up to 8 bytes each, which
 * must be aligned); of something larger its first ones. */
enum { SCHED_WHY_MOST = 32, SCHED_WHY_REGISTERS = 4 };

/* Bytes of a rank, at the present time. */
struct sched_bytes {
    int rank;
    uint64_t address, size;
};

enum sched_why_kind {
    SCHED_WHY_LINE,    /* `line` of the program, or what it has called (`call`): the rank stands behind it */
    SCHED_WHY_GIVEN,   /* `got` has it of `sent`, by a message or a collective: that rank stands there, `from`
                          are its bytes */
    SCHED_WHY_REDUCED, /* `got` has made it of what `parts` gave. `from`: those of the part that it is equal
                          to (`chosen`), at which one stands; or chosen is -1, and one stands at `got` */
    SCHED_WHY_CALL,    /* a function of MPI (`call`), of which nobody knows where it has that from: the rank
                          stands there */
    SCHED_WHY_NEVER,   /* nobody has changed it since MPI_Init: the rank stands where it was */
    SCHED_WHY_LEFT,    /* nobody has changed it since its function (`call`) was entered, or its memory was
                          freed (NULL): it is what others have left there. The rank stands there */
    SCHED_WHY_OTHERS,  /* not this rank: another one by MPI_Put and the like, or by shared memory */
};

struct sched_why_part {
    struct sched_bytes bytes;
    struct sched_record_name of;
    char *value; /* NULL: not known */
};

struct sched_why {
    enum sched_why_kind kind;
    struct sched_record_name got, sent;
    struct sched_bytes from;
    bool again;                   /* what was brought was there before: the same value */
    char *call, *file, *function; /* NULL: none, not known */
    int line;                     /* 0: not known */
    struct sched_why_part *parts;
    unsigned n_parts;
    int chosen;
};

/* The bytes of an expression, as the focus' frame `index` sees it. */
bool sched_why_bytes(struct sched_session *session, int index, const char *expression,
                     struct sched_bytes *bytes);
/* How many of them are watched. */
uint64_t sched_why_watched(const struct sched_bytes *bytes);
/* The watched ones, as they are now. */
bool sched_why_read(struct sched_session *session, const struct sched_bytes *bytes, void *value);
/* Goes where they were written. False: session->why. Finish the answer in any case. */
bool sched_why_ask(struct sched_session *session, const struct sched_bytes *bytes, struct sched_why *answer);
void sched_why_finish(struct sched_why *answer);
/* What of the present frames of their rank these bytes are: "total", "field[3]", "cell.value"; NULL: not
 * known. Caller frees. */
char *sched_why_name(struct sched_session *session, const struct sched_bytes *bytes);

#endif

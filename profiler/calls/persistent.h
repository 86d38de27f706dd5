/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Persistent requests (MPI-4.0, sections 3.9 and 6.13): what to send, receive or take part in, over and over.
 * Each start makes an operation of its own.
 */
#ifndef PROF_PERSISTENT_H
#define PROF_PERSISTENT_H

#include "engine/operations.h"
#include "partitioned.h"

struct prof_persistent {
    bool live;
    uint32_t number;  /* in the table */
    uint32_t request; /* number of its request (requests.h) */
    enum prof_op_kind kind;
    uint8_t mode;
    struct prof_envelope envelope;
    struct prof_kept *kept;             /* of a collective: what takes the place of the envelope */
    struct prof_partitions *partitions; /* NULL: an ordinary request */
    struct prof_place made;
    struct prof_place started; /* the last start; fn: ISP_FN_NONE if there was none */
    bool asked;                /* the scheduler was told that the program has asked for its completion
                                  before */
    bool hinted;               /* ... or that it has, of several of which others were started */
    struct prof_hash defined;  /* the history of definitions when it was made */
    struct prof_op *active;    /* the operation that the last start made, until it is delivered */
};

/* Of a collective: a request that uses its arguments. */
void prof_persistent_create(struct prof_kept *kept, MPI_Request *request);
/* partitions: NULL, or what the request then owns. */
void prof_persistent_create_message(enum prof_op_kind kind, uint8_t mode, const struct prof_envelope *e,
                                    struct prof_partitions *partitions, MPI_Request *request);
/* NULL: not a persistent request, or not live. */
struct prof_persistent *prof_persistent_of(MPI_Request request);
/* By op->persistent - 1. */
struct prof_persistent *prof_persistent_at(uint32_t number);
/* The program asks for the completion of these requests; some_active: of which some are active. */
void prof_persistent_asked(int n, const MPI_Request requests[], bool some_active);
void prof_persistent_free(struct prof_persistent *p);
/* What is known of all of them. False: not of partitioned ones. */
bool prof_persistents_hash(struct prof_hash *hash);

#endif

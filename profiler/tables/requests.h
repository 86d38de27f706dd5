/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The numbers by which the program knows its requests. Each request, plain or persistent, gets the next
 * number, and it is used again only 16 million requests later: so an old copy of a handle is recognised,
 * whatever has been made since. For some time (as long as its place in the table is not needed) it is also
 * known who ended a request.
 *
 * A request of ours is never a valid handle of MPICH. What it is not: a garbage value; that is found
 * by prof_request_is_old being false.
 */
#ifndef PROF_REQUESTS_H
#define PROF_REQUESTS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "link/finding.h"

#define PROF_HANDLE_BITS 0x2c000000u /* an MPICH request (or null) of kind "invalid" */
#define PROF_HANDLE_PERSISTENT 0x02000000u
#define PROF_HANDLE_MESSAGE_BIT 0x01000000u

/* The number of a request of ours: from 1 on. */
static inline uint32_t prof_request_number(MPI_Request request)
{
    return (unsigned)request & (PROF_HANDLE_MESSAGE_BIT - 1);
}

/* What is known of a request. */
struct prof_request {
    uint32_t number; /* 0: there never was one in this place */
    void *target;    /* struct prof_op, or prof_persistent; NULL: it has ended */
    bool persistent;
    MPI_Request *variable;         /* where the program got it; NULL: that is no variable of the program */
    struct prof_place made, ended; /* ended.fn: ISP_FN_NONE while it has not */
    struct prof_place overwritten; /* the call that put another request into `variable`, while this one was in
                                      it; and since then nobody has named it */
};

/* Gives the program a request for `target`, and notes that the request that was in the variable is not there
 * any more. Returns its number, by which it is to be ended. */
uint32_t prof_request_make(void *target, bool persistent, MPI_Request *request);
/* It was completed or freed by the call that the thread is in. 0: nothing happens. */
void prof_request_end(uint32_t number);

/* NULL: not a request of this kind that has not ended. */
void *prof_request_target(MPI_Request request, bool persistent);
/* What is known of a number; NULL: nothing any more. Valid until the next prof_request_make. */
const struct prof_request *prof_request_of_number(uint32_t number);
/* An old copy of the handle of a request that has ended. */
bool prof_request_is_old(MPI_Request request);
/* What is known of all numbers, and which comes next. */
struct prof_hash;
void prof_requests_hash(struct prof_hash *hash);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Deadlocks that other matches of the same calls would give, as values: the calls of one run go in, as each
 * rank made them; whether MPI may match them so that ranks wait for ever, and with which decisions, comes
 * out. It knows no sockets, no MPI and no time. PREDICT.md says how, and why it is right.
 *
 * It is exact for programs whose calls do not depend on what matches: then a deadlock that it finds is one,
 * and there is none if it finds none. Of others nobody knows without running them, so what it finds is for
 * choosing the next run only.
 */
#ifndef PREDICT_H
#define PREDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"

struct predict;

/* ---- a run in ---- */

/* One transition: fields of struct isp_call, and who called. */
struct predict_call {
    uint8_t op, mode, flow;
    uint32_t flags;
    int32_t rank, comm, peer, tag, root;
    int32_t key;          /* COLLECTIVE that is a start of a persistent one: which, from 1; else 0 */
    const int32_t *named; /* events that it names by handles: requests, a probe. Of a COMPLETE also those that
                             an earlier one may have completed: these drop out, and if none is left it returns
                             at once. -1: not known (and complete) */
    uint32_t n_named;
    const uint32_t *sources; /* COLLECTIVE with flow LIST or SOURCES: the list of the call; with ISP_F_SUBSET
                                the members */
    uint32_t n_sources;
};

/* buffered: standard sends complete at once (infinite), or with their receive (zero). */
struct predict *predict_create(int ranks, bool buffered);
void predict_destroy(struct predict *predict);

/* Members of a communicator, as world ranks in its order (of both sides, one after the other); each that a
 * collective is called on. */
void predict_comm(struct predict *predict, int32_t comm, const int32_t *members, uint32_t n);

/* The next event of its rank: returns its number; events are numbered as they are added, in any order of the
 * ranks. What a rank did after its last event is not known, unless that is FINALIZE. */
int32_t predict_add(struct predict *predict, const struct predict_call *call);

/* In the run the receive or probe took this message: a deadlock is sought that differs from the run as little
 * as may be, where that is easy. The first that are told count most. */
void predict_prefer(struct predict *predict, int32_t receive, int32_t send);

/* The run has something else that decides what happens: there will be no prediction. why: of static
 * duration. */
void predict_refuse(struct predict *predict, const char *why);

/* ---- what may happen ---- */

enum predict_answer {
    PREDICT_NONE,     /* no deadlock, or no other one than those that were told */
    PREDICT_DEADLOCK, /* one */
    PREDICT_UNKNOWN,  /* predict_why */
};

/* The next deadlock: one in which not all those ranks that wait for ever in the one before wait in the same
 * calls. When it is called first, all is told. */
enum predict_answer predict_next(struct predict *predict);
/* Why nothing is known, in words that can follow "because"; or NULL. */
const char *predict_why(const struct predict *predict);
/* Receives and probes that may take several messages, and waits for some of several. Known when predict_next
 * was called. */
int32_t predict_choices(const struct predict *predict);

/* ---- after PREDICT_DEADLOCK ---- */

/* The event that the rank waits in for ever, or -1: it comes to its MPI_Finalize. */
int32_t predict_waits(const struct predict *predict, int rank);
/* The send whose message the receive or probe takes or finds, or -1. */
int32_t predict_taken(const struct predict *predict, int32_t receive);
/* Whether a Waitany or Waitsome completes its i-th request. */
bool predict_completes(const struct predict *predict, int32_t fence, uint32_t i);

/* ---- what it took ---- */

struct predict_cost {
    int32_t nodes, pairs;    /* what has an order; which message could go to which receive */
    int32_t rounds, circles; /* of the solver; circles that it was told not to make */
};
struct predict_cost predict_cost(const struct predict *predict);

#endif

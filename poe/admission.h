/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Admission: in which order the calls of a rank's threads take their places.
 *
 * The threads of a rank share its queues: the messages to one rank, the receives that wait for messages, the
 * collectives of one communicator. "The operations are logically concurrent, even if one physically precedes
 * the other" (MPI-4.0, 3.5): which of two threads comes first is nobody's to say, unless the program orders
 * them itself. So what a thread calls there waits, and the thread in it, until no rank can move any more;
 * then one thread after the other is let in, with all that its call records. Each of these is a decision: to
 * admit the thread now, or *later*, after another one that competes with it.
 *
 * Two calls compete if their order can be told: messages to one rank with one tag on one communicator (with
 * any two tags, if that rank takes messages of any tag), receives and probes that accept a message in common
 * and of which one takes it away, and collectives of one communicator. *Later* is added like that of other
 * decisions (race.h): if a run shows a call that competes with one that was admitted before and does not
 * happen after it. A thread that was put off sleeps until one that competes with it has been admitted, or a
 * probe of another thread has found what it wants to take away. Threads are precise: each is where the
 * program has brought it, so an order that the program forbids (by a barrier of threads, say) is never run;
 * to try it is a redundant run.
 *
 * What happens after what, among threads. Between two moments in which its rank is quiet, a thread that was
 * idle outside MPI can only have been woken by one that was released: if that was a single one, it happens
 * after whatever that one knew. Not so if both call under one mutex: which of them gets it first is as free
 * as the order of calls, but nobody decides it. Where such calls compete, poe_unordered tells; and where the
 * second one waits, with the mutex, for what comes after the first: the other way round it would have the
 * mutex and wait for a call that needs it. Nor does
 * anybody decide who gets a mutex first that is given back before the calls: what both call next may depend
 * on it, and poe_unordered tells that as well, if neither of the calls happens after the other. Where nobody
 * sees mutexes (ISP_F_BLIND), a thread that was idle outside MPI may have waited for one: if a call of
 * another thread that was admitted before competes with one that it makes later, poe_unordered tells.
 */
#ifndef POE_ADMISSION_H
#define POE_ADMISSION_H

#include "communicator.h"
#include "state.h"

/* Whether a call waits for its thread's admission. */
bool poe_admission_concerns(const struct isp_call *call);
/* The operation does. */
void poe_admission_await(struct poe *poe, struct poe_op *op);
/* Its thread waits as well, by an ADMIT. */
void poe_admission_hold(struct poe *poe, int rank, unsigned thread);

/* Finds a thread to be admitted, and makes it the choice. */
bool poe_admission_find(struct poe *poe);
void poe_admission_decide(struct poe *poe, bool now);
/* The ADMIT of the thread is over. */
void poe_admission_release(struct poe *poe, int rank, unsigned thread);

/* A probe has found a message. */
void poe_admission_found(struct poe *poe, const struct poe_op *probe);
/* A receive or probe may be one of any tag: messages with different tags compete from now on. */
void poe_admission_see_tag(struct poe *poe, const struct poe_op *taker);
/* The receive, or probe, takes the message away, for which a probe of another thread may wait. */
void poe_admission_taken(struct poe *poe, const struct poe_op *taker, const struct poe_op *send);

/* The thread goes on: a round of its rank begins, or has another cause. Before the rank counts as running. */
void poe_admission_let_go(struct poe *poe, int rank, unsigned thread);
/* The thread calls: it may have been woken by another one. */
void poe_admission_woken(struct poe *poe, int rank, const struct isp_call *call);
/* It polls: two threads that ask for one operation under one mutex do so in the order in which they get
 * that. */
void poe_admission_polls(struct poe *poe, const struct poe_op *poll);

#endif

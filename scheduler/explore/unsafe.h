/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a deadlock without buffering is real. A second run with buffered standard sends
 * is led along the decisions of the first. If it gets stuck too, the deadlock is real; if not, the
 * program relies on buffering; and if it only gets through because a message is never received, that
 * message is what is wrong, and not that its sender waits.
 */
#ifndef SCHED_UNSAFE_H
#define SCHED_UNSAFE_H

#include "run.h"

enum sched_unsafe_kind { SCHED_UNSAFE_REAL, SCHED_UNSAFE_UNSAFE, SCHED_UNSAFE_LOST };

/* What was found out of a deadlock, by the first run that showed it; kept by its key, so that the same
 * deadlock in a thousand interleavings costs one further run. Another part of the exploration may come to
 * something else, and the earlier one is right: so what follows from it is kept apart until all parts are
 * there (sched_unsafe_settle). */
struct sched_unsafe_verdict {
    char *key;
    enum sched_unsafe_kind kind;
    char *interleaving;          /* of the run that it was found out by */
    char *other;                 /* where the second run was stuck: a key; or NULL */
    struct sched_findings *lost; /* SCHED_UNSAFE_LOST: the messages that are never received */
    uint64_t told, withheld;     /* runs that showed it: that added the finding; that did not */
    struct sched_unsafe_verdict *next;
};

/* The run is over, in a deadlock or livelock. True if a standard send that is not buffered holds some
 * rank. */
bool sched_unsafe_suspect(struct sched_run_state *state);

/* Of a state in which nothing moves: whether what holds ranks there is over at the end of a run that
 * finished. If not, a message is never received, or a collective never called. */
bool sched_unsafe_needs_buffer(struct poe *stuck, struct poe *finished, int ranks);

/* Finds out, by a second run of the program if this deadlock is new, and adds the finding, unless it is only
 * that a message is lost. */
void sched_unsafe_run_buffered(struct sched_engine *engine, struct sched_run_state *state);

/* Takes over a verdict of another part of the exploration. */
void sched_unsafe_add(struct sched_unsafe_verdict **verdicts, struct sched_unsafe_verdict *verdict);
/* All runs are there: the deadlocks that were judged are counted, and findings that are the same get one. */
void sched_unsafe_settle(struct sched_result *result);
void sched_unsafe_destroy(struct sched_unsafe_verdict *verdicts);

#endif

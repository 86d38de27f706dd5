/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a finding has its place in the interleaving that shows it. At the end of that, ranks that have died
 * are there, and those that wait for ever. To what has happened before, one goes back: to the call that the
 * finding names first, or to the access between calls. What is only known at the end (leaks, what nobody
 * waited for) is shown there.
 */
#ifndef SCHED_DEBUG_EVIDENCE_H
#define SCHED_DEBUG_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>

struct sched_session;

/* sites[0] is where it happened. A site without a call is an access. */
struct sched_evidence {
    bool at_end; /* of the interleaving */
    struct sched_evidence_site {
        int rank; /* -1: not known */
        int line;
        char *file, *function;
        bool is_call;
    } * sites;
    unsigned n;
};

/* Of a finding of a result. */
void sched_evidence_init(struct sched_evidence *evidence, const json_t *finding);
void sched_evidence_finish(struct sched_evidence *evidence);

/* Stands there, with the focus on its rank; where that cannot be, at the end. */
void sched_evidence_go(const struct sched_evidence *evidence, struct sched_session *session);

#endif

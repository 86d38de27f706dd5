/* SPDX-License-Identifier: BSD-3-Clause */
/* What `isp debug` is given: a result (--json file or trace) and one of its findings, or the words of a
 * replay. */
#ifndef SCHED_DEBUG_SUBJECT_H
#define SCHED_DEBUG_SUBJECT_H

#include <jansson.h>
#include <stdbool.h>

#include "evidence.h"

struct sched_subject {
    char **words; /* "isp", "replay", options, "--", the program and its arguments; NULL at the end */
    int n;
    char *folder;  /* where it ran; NULL: here */
    char *finding; /* its text, lines each ended by \n; NULL: none was asked for */
    int decision;  /* the critical choice, by the number of its decision; -1: none is known */
    struct sched_evidence evidence;
};

/* Finding k of those with a replay command, from 1; 0: the first error. False: *why, which the caller
 * frees. */
bool sched_subject_result(struct sched_subject *subject, const char *file, long k, char **why);
/* The same of a result that is there already; 0: the first error, else the first warning. False: there is
 * none. */
bool sched_subject_finding(struct sched_subject *subject, const json_t *result, long k);
/* argv: what follows the options of `isp debug` itself. */
void sched_subject_words(struct sched_subject *subject, int argc, char **argv);
/* Words have no finding yet: this one of the result of their replay, if there is it. */
bool sched_subject_take_shown(struct sched_subject *subject, const json_t *result, long k);
void sched_subject_finish(struct sched_subject *subject);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A finding while it is put together. Whoever has found something creates a draft, says in any order what
 * there is to say, and ends it:
 *
 *     struct sched_draft *d = sched_draft_create(run, ISP_RULE_READY_SEND);
 *     sched_draft_message(d, "the ready send of rank %d may begin too early", send->rank);
 *     sched_draft_line(d, "rank %d sends by %s", send->rank, sched_draft_call(d, &send->call));
 *     sched_draft_at(d, send);
 *     sched_draft_end(d);
 *
 * The draft owns all text that it is given or makes, and the finding says which run it is of; nobody else
 * frees anything.
 */
#ifndef SCHED_DRAFT_H
#define SCHED_DRAFT_H

#include "findings.h"
#include "isp/call.h"
#include "poe/poe.h"
#include "run/run.h"

struct sched_draft;

struct sched_draft *sched_draft_create(struct sched_run *run, enum isp_rule rule);
/* Adds the finding to those of the run, or counts it if it is there; frees the draft. Returns the entry. */
struct sched_finding *sched_draft_end(struct sched_draft *draft);

/* ---- what it says ---- */

/* Goes on with the message, which is one line. */
__attribute__((format(printf, 2, 3))) void sched_draft_message(struct sched_draft *draft, const char *format,
                                                               ...);
/* A row of the story: what a rank is in, and `what` (which is taken over; NULL: nothing). Rows of several
 * ranks that read the same become one. */
void sched_draft_row(struct sched_draft *draft, int rank, const struct isp_call *call, char *what);
/* The same for one thread of a rank; call NULL: none. */
void sched_draft_row_of_thread(struct sched_draft *draft, int rank, int thread, const struct isp_call *call,
                               char *what);
/* A line of the story, below the rows. */
__attribute__((format(printf, 2, 3))) void sched_draft_line(struct sched_draft *draft, const char *format,
                                                            ...);
/* The same, as whole lines, which are taken over; NULL: none. */
void sched_draft_lines(struct sched_draft *draft, char *lines);

/* ---- whom and where: the first place is where the finding stands ---- */

void sched_draft_at(struct sched_draft *draft, const struct poe_transition *transition);
/* rank -1: the place concerns several, which sched_draft_rank names. */
void sched_draft_site(struct sched_draft *draft, int rank, uint16_t fn, uint32_t site);
/* The place of a rank that the finding is not about. */
void sched_draft_beside(struct sched_draft *draft, int rank, uint16_t fn, uint32_t site);
void sched_draft_rank(struct sched_draft *draft, int rank);

/* ---- what makes it the same as another; not said: the rule and all places ---- */

/* Goes on with the key. */
__attribute__((format(printf, 2, 3))) void sched_draft_key(struct sched_draft *draft, const char *format,
                                                           ...);
/* ... and the call in the source (sched_sites_call), with its callers if the user wants to see them. */
void sched_draft_key_call(struct sched_draft *draft, uint16_t fn, uint32_t site);
/* The rule, the first place, and `about`: see sched_draft_place_key. To be called when the place is said. */
void sched_draft_about(struct sched_draft *draft, const char *about);
/* What the key is then. Caller frees. */
char *sched_draft_place_key(const struct sched_run *run, enum isp_rule rule, uint16_t fn, uint32_t site,
                            const char *about);

/* Not said, or 0: 1. */
void sched_draft_count(struct sched_draft *draft, uint64_t count);
/* Its cause (finding.h), which is taken over; NULL: none. */
void sched_draft_cause(struct sched_draft *draft, char *cause);

/* ---- words that live as long as the draft ---- */

/* Takes the text over (or NULL), and returns it. */
const char *sched_draft_own(struct sched_draft *draft, char *text);
/* sched_words_call, sched_words_place. */
const char *sched_draft_call(struct sched_draft *draft, const struct isp_call *call);
const char *sched_draft_place(struct sched_draft *draft, uint32_t site);
/* The ranks that it names so far: sched_words_ranks. */
const char *sched_draft_ranks(struct sched_draft *draft);

#endif

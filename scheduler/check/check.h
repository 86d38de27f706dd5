/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checks: what a run says about the program, as findings. Each is given the run, looks at
 * poe's values, and adds to run->findings; none of them decides how the exploration goes on.
 *
 * sched_check_listener is told of fired match sets and of decisions. The others are called when it is known
 * how the run ended: sched_check_mismatch at POE_MISMATCH, sched_check_deadlock at
 * POE_DEADLOCK and POE_LIVELOCK, sched_check_end at POE_FINISHED.
 */
#ifndef SCHED_CHECK_H
#define SCHED_CHECK_H

#include <stdbool.h>

#include "findings/draft.h"
#include "findings/findings.h"
#include "isp/settings.h"
#include "run/options.h"
#include "poe/poe.h"
#include "run/run.h"
#include "signatures.h"
#include "sites/sites.h"

extern const struct sched_listener sched_check_listener;

/* poe is at POE_DEADLOCK or POE_LIVELOCK (`livelock`). rule: ISP_RULE_DEADLOCK,
 * ISP_RULE_UNSAFE_BUFFERING or ISP_RULE_LIVELOCK. Returns the new or the counted entry. */
struct sched_finding *sched_check_deadlock(struct sched_run *run, bool livelock, enum isp_rule rule);
/* What makes two such pictures the same: the call and site of every rank that has not finished. Not the
 * interleaving, and not the rule. Caller frees. */
char *sched_deadlock_key(struct sched_run *run);

/* A fired match set: truncation, types; root and reduction operation of a collective. False if its ranks must
 * not be released, since MPI itself may hang in it (different roots or sizes): then the run is over. */
bool sched_check_match(struct sched_run *run, const struct poe_fired *fired);
/* Whether a fired message fits its receive, in size and type: else MPI itself may complain. */
bool sched_check_fits(const struct sched_run *run, const struct poe_fired *fired);
/* POE_MISMATCH: the members called different collectives. */
void sched_check_mismatch(struct sched_run *run, const struct poe_fired *fired);
/* POE_FINISHED: messages that nobody received, operations that nobody waited for. */
void sched_check_end(struct sched_run *run);
/* A matched probe that holds a message. */
bool sched_check_takes_message(const struct poe_transition *t);
/* A choice point that no run has shown before: notes a wildcard with several alternatives. */
void sched_check_choice(struct sched_run *run, const struct poe_choice *choice);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that do not arrive whole, or not at all. */
#ifndef SCHED_CHECK_MESSAGES_H
#define SCHED_CHECK_MESSAGES_H

#include "check.h"
#include "groups.h"

/* A fired message match: is it longer than the receive allows? */
void sched_check_truncation(struct sched_run *run, const struct poe_transition *send,
                            const struct poe_transition *receive);
/* ... and a ready send: is it certain that its receive is there before? */
void sched_check_ready(struct sched_run *run, const struct poe_transition *send,
                       const struct poe_transition *receive);
/* A buffered send for which the attached buffer may lack space. */
void sched_check_space(struct sched_run *run, const struct poe_transition *send);
/* Sends without a receive, and probed messages (MPI_Mprobe) that were never received. */
void sched_check_lost(struct sched_run *run, const struct sched_groups *sends,
                      const struct sched_groups *probes);

#endif

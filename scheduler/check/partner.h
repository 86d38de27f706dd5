/* SPDX-License-Identifier: BSD-3-Clause */
/* What an operation, or a fence, waits for, and where those are whom it waits for. */
#ifndef SCHED_CHECK_PARTNER_H
#define SCHED_CHECK_PARTNER_H

#include "check.h"

/* "a receive by rank 1", "ranks 1, 2 to call it", "the lock that rank 0 holds". Caller frees. */
char *sched_words_partner(const struct sched_run *run, const struct poe_transition *t);
/* "MPI_Send at app.c:4"; of a persistent request what made it. Caller frees. */
char *sched_words_operation(const struct sched_run *run, const struct poe_transition *t);
/* "app.c:4", likewise. Caller frees. */
char *sched_words_operation_spot(const struct sched_run *run, const struct poe_transition *t);
/* Where a rank is that others wait for: "is in MPI_Recv(from 0, tag 1) at app.c:4 main", "has finished".
 * Caller frees. */
char *sched_words_whereabouts(const struct sched_run *run, int rank);

#endif

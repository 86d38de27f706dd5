/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads of one rank whose calls compete (poe/admission.h). MPI leaves their order to the program: of
 * messages any order is right, and all are run; collectives of one communicator, window or file at the same
 * time are an error (MPI-4.0, 6.14 and 11.6.2).
 */
#ifndef SCHED_CHECK_THREADS_H
#define SCHED_CHECK_THREADS_H

#include "check.h"

/* A thread is to be admitted (POE_ADMIT): tells if it calls a collective, and another thread is in one of the
 * same scope. */
void sched_check_threads(struct sched_run *run, const struct poe_choice *choice);

/* Why not all orders were run, or NULL; caller frees. */
char *sched_threads_unordered(const struct sched_run *run);
/* The same, where a thread that has called this was woken instead of another one; fn 0: there is none. */
char *sched_threads_chosen(const struct sched_run *run, const struct sched_site_ref *call);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The scheduler, for who has something to tell before MPI_Init has opened the link. */
#ifndef PROF_REACH_H
#define PROF_REACH_H

#include <stdbool.h>

#include "isp/functions.h"

/* The rank that the process manager gave; -1: none. */
int prof_given_rank(void);
/* Opens the link, before MPI_Init if need be, with that rank. */
bool prof_reach_scheduler(void);

/* Refuses a call by name: nothing after it can be judged. Does not return in fact. */
int prof_unsupported(enum isp_fn fn, const void *site);
/* For fronts (adapters/): the program has called what MPICH has not. text: says so. */
__attribute__((visibility("default"))) _Noreturn void isp_unsupported(const char *text, const void *site);

#endif

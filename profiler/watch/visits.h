/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts how often the program comes to places in its code (isp/visits.h), by breakpoint instructions that a
 * signal handler of this process takes: so nobody may trace the process meanwhile. What stood there is
 * executed elsewhere, or step by step.
 */
#ifndef PROF_VISITS_H
#define PROF_VISITS_H

#include "isp/visits.h"

/* A VISITS message has come: counts from now on. */
void prof_visits_take(struct isp_reader *message);
/* The rank has come to its next event: tells how often it was there. */
void prof_visits_end(void);

#endif

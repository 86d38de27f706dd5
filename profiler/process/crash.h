/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the scheduler when a signal kills this rank, with the stack; the rank then dies as it would have. */
#ifndef PROF_CRASH_H
#define PROF_CRASH_H

#include <signal.h>
#include <stdbool.h>

void prof_crash_init(void);

#endif

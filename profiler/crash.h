/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the scheduler when a signal kills this rank, with the stack; the rank then dies as it would have. */
#ifndef PROF_CRASH_H
#define PROF_CRASH_H

#include <stdbool.h>

void prof_crash_init(void);

struct sigaction;
/* This is what prof_crash_init puts. */
bool prof_crash_is_own(const struct sigaction *act);

#endif

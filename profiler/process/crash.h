/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells the scheduler when a signal kills this rank, with the stack; the rank then dies as it would have. */
#ifndef PROF_CRASH_H
#define PROF_CRASH_H

#include <signal.h>
#include <stdbool.h>

void prof_crash_init(void);

/* This is what prof_crash_init puts. */
bool prof_crash_is_own(const struct sigaction *act);
/* True for the default, and for the handlers that UCX and gfortran put: they print a backtrace and then do the default. */
bool prof_crash_only_prints(const struct sigaction *act);
/* The last thing of a handler that has put back what was there before it: a fault comes again by itself, but not a signal that was sent,
 * nor a breakpoint, which is behind us. */
void prof_crash_again(int signal, const siginfo_t *info);

#endif

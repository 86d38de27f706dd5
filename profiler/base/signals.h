/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals for which isp puts a handler where the program has none: what was there before. */
#ifndef PROF_SIGNALS_H
#define PROF_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

typedef void prof_signal_handler(int signal, siginfo_t *info, void *context);
/* What process/crash.c puts, once it has. */
extern prof_signal_handler *prof_crash_handler;

/* This is prof_crash_handler. */
bool prof_signal_is_crash(const struct sigaction *act);
/* True for the default, and for the handlers that UCX and gfortran put: they print a backtrace and then do
 * the default. */
bool prof_signal_only_prints(const struct sigaction *act);
/* The last thing of a handler that has put back what was there before it: a fault comes again by itself, but
 * not a signal that was sent, nor a breakpoint, which is behind us. */
void prof_signal_again(int signal, const siginfo_t *info);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals with which somebody asks a process to end: a user, a terminal, a batch system that warns before it
 * kills, a limit of processor time. Not among them: what a process does to itself (SIGSEGV ...), SIGKILL, and
 * SIGQUIT, which ends isp at once, as a user wants it who sends it.
 */
#ifndef SCHED_SIGNALS_H
#define SCHED_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>

/* The i-th; 0: there are no more. The first three are those that mean it: a second one of them is not waited
 * for. */
int sched_signals_ending(size_t i);
enum { SCHED_SIGNALS_URGENT = 3 };

/* "SIGXCPU"; of one that has no name of its own, "signal 40". In static memory. */
const char *sched_signals_name(int number);

#endif

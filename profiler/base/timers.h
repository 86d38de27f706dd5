/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a timer of the program's is running: the handler of its signal may do something. */
#ifndef PROF_TIMERS_H
#define PROF_TIMERS_H

#include <stdbool.h>

/* Of setitimer: ITIMER_REAL (alarm's, too), ITIMER_VIRTUAL or ITIMER_PROF. */
bool prof_timer_runs(int kind);
/* Made by timer_create, running or not. */
bool prof_timers_posix(void);
/* ... or one of real time runs. */
bool prof_timers_any(void);

#endif

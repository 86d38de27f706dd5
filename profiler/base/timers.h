/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a timer of the program's is running: the handler of its signal may do something. */
#ifndef PROF_TIMERS_H
#define PROF_TIMERS_H

#include <stdbool.h>

/* Made by timer_create, running or not. */
bool prof_timers_posix(void);
/* ... or started by alarm or setitimer, in real time. */
bool prof_timers_any(void);

#endif

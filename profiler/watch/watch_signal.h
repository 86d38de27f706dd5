/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal that watching needs, taken from those who only report a crash with it, and handed over to them if
 * it means something else. */
#ifndef PROF_WATCH_SIGNAL_H
#define PROF_WATCH_SIGNAL_H

#include <signal.h>
#include <stdbool.h>

typedef void prof_watch_handler(int signal, siginfo_t *info, void *context);

/* False: the program has a handler of its own, which stays. */
bool prof_watch_take_signal(int signal, prof_watch_handler *handler, struct sigaction *before);
/* What would have happened without us. */
void prof_watch_hand_over(const struct sigaction *before, int signal, siginfo_t *info, void *context);
/* The signal still comes to us, in this thread. */
bool prof_watch_has_signal(int signal, prof_watch_handler *handler);
/* A debugger or valgrind looks at this process: it would take our signals for its own business. */
bool prof_watch_is_traced(void);

#endif

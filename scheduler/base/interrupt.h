/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Signals that ask isp to end (signals.h). The first one ends the exploration, and what is known by then is
 * reported. One that comes when reports are written already changes nothing. A second SIGINT, SIGTERM or
 * SIGHUP ends isp at once; its guards and broom clean up. But what comes within half a second is the same
 * one: timeout(1) sends its signal to the process and to its group, service managers send two kinds. Of the
 * others each may come as often as it likes: SIGXCPU comes each second, and a warning by SIGUSR1 is followed
 * by SIGTERM.
 */
#ifndef SCHED_INTERRUPT_H
#define SCHED_INTERRUPT_H

#include <event2/event.h>
#include <stdbool.h>

/* From now on; *interrupted becomes true. Signals that are ignored (nohup) stay so. */
void sched_interrupt_begin(struct event_base *base, bool *interrupted);
/* Why, in words: "interrupted by SIGTERM". Caller frees. */
char *sched_interrupt_words(void);
/* Whether one has come. */
bool sched_interrupt_came(void);
/* The event loop is about to go. */
void sched_interrupt_leave_loop(void);
/* After the exploration isp goes on: signals end it again, or whatever somebody else makes of them. */
void sched_interrupt_end(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stops ranks: lines and functions, which gdb watches, and calls of MPI, which the record knows
 * beforehand. They outlive worlds: gdb sets its own in each next process.
 */
#ifndef SCHED_DEBUG_STOPS_H
#define SCHED_DEBUG_STOPS_H

#include "debug/session.h"

struct sched_stops;

struct sched_stops *sched_stops_create(struct sched_session *session);
void sched_stops_destroy(struct sched_stops *stops);

/* At a place as gdb knows it (FILE:LINE, FUNCTION), with "if CONDITION" behind it or without, for these
 * ranks. */
bool sched_stops_add_place(struct sched_stops *stops, const char *place, const bool *set, bool once);
/* At events of MPI (message_break.h). */
bool sched_stops_add_message(struct sched_stops *stops, const char *text, const bool *set);
/* At each change of an expression, as the frame at this level sees it. */
bool sched_stops_add_watch(struct sched_stops *stops, const char *expression, const bool *set,
                           const int *level);
/* 0: all. */
bool sched_stops_delete(struct sched_stops *stops, long number);
void sched_stops_put(const struct sched_stops *stops);

#endif

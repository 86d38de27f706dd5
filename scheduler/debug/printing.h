/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks print, line by line, and once: a rank that is run again prints the same again, and only what
 * goes beyond the furthest that was told before is told.
 */
#ifndef SCHED_DEBUG_PRINTING_H
#define SCHED_DEBUG_PRINTING_H

#include "launch/launch.h"

/* Who is told. text: a line with its end, or a piece of one without; what could not be shown is escaped.
 * rank -1: not known. */
struct sched_printing_user {
    void (*tell)(void *context, int rank, bool error, const char *text);
    void *context;
};

/* "[2] text", and the end of a line; the text alone, if the rank is not known. Caller frees. */
char *sched_printing_line(int rank, const char *text);

struct sched_printing;

struct sched_printing *sched_printing_create(struct sched_printing_user user, int ranks);
void sched_printing_destroy(struct sched_printing *printing);
const struct sched_printed *sched_printing_hook(struct sched_printing *printing);
/* Tells also lines that have no end yet. */
void sched_printing_flush(struct sched_printing *printing);
/* What ranks print from now on is of a time that nobody has come to yet: it is told when they print it again,
 * as ranks do that were recorded, or that have run too far. */
void sched_printing_mute(struct sched_printing *printing, bool muted);
/* Another interleaving: all that is printed from now on is new. */
void sched_printing_anew(struct sched_printing *printing);

#endif

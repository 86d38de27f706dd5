/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Going back without a fork: this process notes its state, and can return to it later, as longjmp does, but
 * with all of its memory. It costs what was written in between: some fifty pages where a fork costs a
 * process.
 *
 * Only a process that was itself forked by a checkpoint does this. What it has never written is in its
 * parent's memory, which sleeps, and what cannot be undone is undone by its end: the parent goes on.
 *
 * The states are a stack, since those who go back (checkpoint.h) only go to the newest one, or give that up
 * and go further.
 */
#ifndef PROF_REWIND_H
#define PROF_REWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a process like this one could have any. */
bool prof_rewind_is_possible(void);
/* This process was forked just now, by a parent without other threads, which sleeps; it has written nothing
 * else yet. */
void prof_rewind_begin(void);
/* How many there are; 0 in a process that cannot have any. */
unsigned prof_rewind_count(void);

enum prof_rewind {
    PROF_REWIND_NOTED,
    PROF_REWIND_BACK, /* it has been there before, and is there again; the state is not noted any more */
    PROF_REWIND_NONE, /* it cannot be taken */
};

/* All signals are blocked. */
enum prof_rewind prof_rewind_note(void);
/* The process has gone on from where it is since the last of these functions was called. */
void prof_rewind_moved(void);
/* To the newest one. Or this process ends, if it cannot go back. */
_Noreturn void prof_rewind_return(void);

/* A page that the kernel has as watched and not written (pages.h) is as it was at any time at which that was
 * so and this number the same, whether the process has gone back in between or not. 0: none is watched. */
uint64_t prof_rewind_epoch(void);
/* Room for what is known of pages by that: it is not put back, and all zero in a process that was forked just
 * now. NULL: there is none, or not so much. */
void *prof_rewind_room(size_t bytes);

/* Something that cannot be put back was done by the program. */
void prof_rewind_spoil(void);
/* How often. */
unsigned prof_rewind_spoils(void);

#endif

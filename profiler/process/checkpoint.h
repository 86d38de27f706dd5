/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that waits for the scheduler is its own checkpoint, as long as it is not resumed. If it is needed
 * again it stays as it is, and a child that it forks goes on in its place, with the same socket; when the
 * child has ended the parent says BACK, and waits for another go-ahead. So there is at any time one process
 * of the rank that runs or reads the socket: the last one of a chain of forks. The first, of level 0, is the
 * one that the process manager knows.
 *
 * A child that can go back by itself (rewind/rewind.h) does as if it forked and its child ended, for the
 * level that its parent stays in as well: the parent sleeps until the child ends for good. So a chain has
 * mostly two processes, but as many levels as before.
 */
#ifndef PROF_CHECKPOINT_H
#define PROF_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* A GO frame has come, with these marks. True: act on it. False: a child has, and has ended; wait for the
 * next frame. */
bool prof_checkpoint_go(uint8_t marks, uint32_t drop);

/* This process was forked from the rank that the process manager knows: it must not talk to it. */
bool prof_checkpoint_is_child(void);
/* ... and what it would still do after the program's own end is not wanted. */
bool prof_checkpoint_leaves_quickly(void);
/* This process ends as it was told to, or on its way out, and has told all that it has to tell. Signals are
 * nobody's business any more. */
_Noreturn void prof_checkpoint_leave(int status);
/* The whole line of processes is of no use any more. */
void prof_checkpoint_over(void);
/* It is about to die. Where it can go back instead, it does. */
void prof_checkpoint_return(void);

#endif

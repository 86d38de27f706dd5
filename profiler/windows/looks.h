/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a program that looks at a window again and again does the same again. The scheduler lets one wait
 * that has looked at what
 * nobody has changed since (poe/visit.h). If the program has changed its state meanwhile (it counts its
 * looks), the
 * record of the next one says so (ISP_F_CHANGED).
 *
 * A look is an epoch under a lock, or an atomic access (turns.h), that changes nothing. Looks are in a row
 * at one place of the program, while the
 * thread records nothing else than visits that change nothing and what completes requests.
 *
 * The state is the stack from the caller's frame on, the registers that a call leaves as they are, and, of a
 * rank with one thread, static memory of the program (prof_writable_hash_small). What the look itself reads
 * is none of it.
 * The heap is not looked at: MPI's own is there too.
 */
#ifndef PROF_LOOKS_H
#define PROF_LOOKS_H

#include <stddef.h>
#include <stdint.h>

struct isp_call;

/* For the record of a lock: ISP_F_CHANGED, or nothing. */
uint16_t prof_looks_lock(void);
/* The same for that of an atomic access, which puts what it reads there. */
uint16_t prof_looks_atomic(const void *result, size_t bytes);
/* It is over, and has changed nothing. */
void prof_looks_read(const void *result, size_t bytes);
/* The thread has done something else than look. */
void prof_looks_over(void);
/* ... if this is something else. */
void prof_looks_record(const struct isp_call *call);
/* At the end of any call that may be a part of a look. */
void prof_looks_leave(void);

#endif

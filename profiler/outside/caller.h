/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the program stands that has made the present call (prof_current), and what of its state a call leaves
 * as it is. */
#ifndef PROF_CALLER_H
#define PROF_CALLER_H

#include <stdbool.h>
#include <stdint.h>

enum { PROF_CALLER_VALUES = 16 };

struct prof_ignored;

struct prof_caller {
    uintptr_t stack;    /* its frames lie from here on */
    uint64_t registers; /* a hash of those that belong to it */
    uint64_t values[PROF_CALLER_VALUES];
    unsigned n_values;                  /* these themselves */
    const struct prof_ignored *ignored; /* what does not count (ignored.h): such registers are 0 above */
};

/* Looks for what finds it, so that nothing is to be looked up later; false: it is not there. */
bool prof_caller_begin(void);
/* False: it cannot be found. */
bool prof_caller_find(struct prof_caller *caller);
/* The number in DWARF of the k-th of the values. */
int prof_caller_register(unsigned k);
/* The same of the frame to which the call on this stack returns that has this return address. */
bool prof_caller_find_at(const void *address, struct prof_caller *caller);
/* A frame of the program: it lies from `stack` up to its caller's stack. */
struct prof_frame {
    uintptr_t address;  /* where its call returns to */
    uintptr_t function; /* in which function */
    uintptr_t stack, end;
    uintptr_t pointer; /* its frame pointer, if it has one */
};

/* The frames from that with this return address on, the innermost first; `end` is set of all but the last.
 * Returns how many, at most `room`. */
unsigned prof_caller_frames(const void *address, struct prof_frame *frames, unsigned room);
/* The line of the program that calls, whoever has called that. */
const void *prof_caller_place(void);
/* At the end of a call. What isp and MPI leave on the stack, and a function of the program may have in its
 * frame without having written
 * it, is always the same: the leavings of one call are another one's place for variables. */
void prof_caller_sweep(void);

#endif

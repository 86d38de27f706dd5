/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel holds of this process beside its memory, as far as a run may change it: open descriptors,
 * what happens at signals, the end of the heap. Timers and offsets of files are in forked.h; what cannot be
 * put back is counted (spoils.c).
 */
#ifndef PROF_HELD_H
#define PROF_HELD_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "duplicates.h"

enum { PROF_HELD_FILES = 128, PROF_HELD_SIGNALS = 64 };

struct prof_held {
    uint64_t heap_end;
    stack_t signal_stack;
    struct {
        uint64_t handler, flags, restorer, mask; /* as the kernel has it */
    } signals[PROF_HELD_SIGNALS];
    unsigned n_files;
    struct {
        int fd, flags; /* F_GETFD */
        dev_t device;
        ino_t inode;
    } files[PROF_HELD_FILES];
};

/* depth: how many states are below this one. False: it is more than there is room for. */
bool prof_held_note(struct prof_held *held, struct prof_duplicates *duplicates, unsigned depth);
/* Descriptors that were opened since are closed, files that were closed are open again. False: something is
 * gone that cannot be had again. */
bool prof_held_return(const struct prof_held *held, struct prof_duplicates *duplicates, unsigned depth);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers of this rank's own calls that lie in its windows: of messages and collectives, and the origin and
 * result buffers of accesses. For the owner of a window they are like its loads and stores, but last until
 * the call is complete, and it is known exactly which bytes they are (MPI-4.0, section 12.7). Told by
 * pending.c, so not with --memory=off.
 */
#ifndef PROF_WINDOW_BUFFERS_H
#define PROF_WINDOW_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "memory/regions.h"

/* There are windows with memory of this rank. */
bool prof_window_buffers_any(void);
/* The call that the thread is in has its buffer there. written: MPI writes it. number: of the pending
 * buffer (then _done follows), or 0: the call is complete when it returns. True: some of it is in a window,
 * and was told. */
bool prof_window_buffers_begin(const struct prof_region *region, bool written, uint64_t number);
void prof_window_buffers_done(uint64_t number);
/* The call returns. */
void prof_window_buffers_return(void);

#endif

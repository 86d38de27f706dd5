/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that wait for the same: for one condition variable, or for a semaphore that begins with 0. When the
 * program wakes one of several, which one is nobody's to say, and isp runs one of these. Where one was woken
 * and has called MPI, while another one that waited at that time still does when the rank is quiet, the
 * scheduler is told (ISP_MSG_QUIET). That both were woken in the end, in whatever order, before any of them
 * called, is no choice. Only where libisp.so is preloaded, like mutexes.h.
 */
#ifndef PROF_WAITERS_H
#define PROF_WAITERS_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/functions.h"

/* A time for prof_waiters_got. */
uint64_t prof_waiters_now(void);
/* The calling thread has got it without a wait: instead of those that waited at that time. */
void prof_waiters_got(const void *what, uint64_t at);
/* Around the wait of the calling thread; `woken`: by somebody, and not by the clock. */
void prof_waiters_begin(const void *what);
void prof_waiters_end(const void *what, bool woken);
/* For prof_enter: the calling thread calls MPI. NULL in a static program. */
extern void prof_waiters_call(enum isp_fn fn, const void *site) __attribute__((weak));
/* The rank is quiet: the call of a thread that was woken instead of another one, if there is one. */
extern void prof_waiters_chosen(enum isp_fn *fn, const void **site) __attribute__((weak));

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies of pages of this process: a log to which a page is added each time that it is found changed. A page
 * that is not in the log is as it was when the process was forked, and that is in the memory of its parent,
 * which sleeps.
 *
 * All of it is in shared memory, so it stays as it is when the process's own memory is put back.
 */
#ifndef PROF_COPIES_H
#define PROF_COPIES_H

#include <stdbool.h>
#include <stdint.h>

enum { PROF_COPIES_MOST = 16384 }; /* 64 MB. With more to copy a fork is as good */

/* In each process anew. False: the parent's memory cannot be read, or there is no room. */
bool prof_copies_begin(void);
void prof_copies_finish(void);

/* The length of the log. */
uint32_t prof_copies_count(void);
/* The page as it is now. False: there is no room. */
bool prof_copies_push(uint64_t page);
/* The last one leaves the log; returns its page, whose copy is still there until the next push. */
uint64_t prof_copies_pop(void);
/* The newest one of this page; NULL: none is in the log. */
const void *prof_copies_of(uint64_t page);

/* Fills the page with what it was when the process was forked, when prof_copies_flush is called at the
 * latest. If that cannot be had, this process ends. */
void prof_copies_return_first(uint64_t page);
void prof_copies_flush(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Protected pages, with --memory=watch: those that lie as a whole in memory that no correct program touches
 * (prof_watch_forbid): the buffer of a pending receive, or, for stores only, that of a pending send. So a
 * correct program, and the libraries and threads in its process, never meet one, neither by an instruction
 * nor in a system call; what is left of a buffer at its ends is for the debug registers. They are open while
 * the rank is in an MPI call. The first access is noted, and opens its pages until the next MPI call.
 *
 * A system call of a wrong program that reads or writes such a buffer fails with EFAULT, where it would have
 * worked.
 *
 * Off for programs with several threads, with a handler for SIGSEGV, and under a debugger or valgrind. Memory
 * that is not plainly readable and writable, and stacks, are left alone.
 */
#ifndef PROF_WATCH_PAGES_H
#define PROF_WATCH_PAGES_H

#include <stdbool.h>

void prof_pages_shut(void);
void prof_pages_open(void);
extern bool prof_pages_are_shut;

#endif

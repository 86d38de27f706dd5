/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program knows its process by is the same in every process that goes on in the rank's place
 * (checkpoint.h): its ids, its parent's, the thread id that the C library keeps in locks, and the processor
 * time that it has used. So the functions that tell these are interposed (identity.c), and isp's own code
 * asks the kernel by the functions below.
 */
#ifndef PROF_IDENTITY_H
#define PROF_IDENTITY_H

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define PROF_IDENTITY_OWN \
    0x69737069647eL /* behind a number of a system call without arguments: what the kernel says is wanted */

static inline pid_t prof_own_pid(void) { return (pid_t)syscall(SYS_getpid, PROF_IDENTITY_OWN); }
static inline pid_t prof_own_tid(void) { return (pid_t)syscall(SYS_gettid, PROF_IDENTITY_OWN); }
static inline pid_t prof_own_ppid(void) { return (pid_t)syscall(SYS_getppid, PROF_IDENTITY_OWN); }

/* Before a process forks that is to go on as the same, and in the child. */
void prof_identity_prepare(void);
void prof_identity_forked(void);

#endif

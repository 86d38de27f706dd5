/* SPDX-License-Identifier: BSD-3-Clause */
/* The ids of this process as the kernel has them: the program gets those of its rank (outside/identity.h). */
#ifndef PROF_OWN_IDS_H
#define PROF_OWN_IDS_H

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* Behind a number of a system call without arguments: what the kernel says is wanted. */
#define PROF_IDENTITY_OWN 0x69737069647eL

static inline pid_t prof_own_pid(void) { return (pid_t)syscall(SYS_getpid, PROF_IDENTITY_OWN); }
static inline pid_t prof_own_tid(void) { return (pid_t)syscall(SYS_gettid, PROF_IDENTITY_OWN); }
static inline pid_t prof_own_ppid(void) { return (pid_t)syscall(SYS_getppid, PROF_IDENTITY_OWN); }

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The call stack of a process on this host, by libdw: what a rank that hangs is doing. */
#ifndef SCHED_STACK_H
#define SCHED_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sites.h"

/* Sites of the frames of a thread (the main one has the number of the process), innermost first; at most max.
 * 0 if it cannot be looked at (it is gone, or ptrace is forbidden). It is stopped for that while. */
size_t sched_stack_of(pid_t pid, pid_t thread, struct sched_sites *sites, uint32_t *frames, size_t max);

/* The first frame in a source of the program's own, else that is in neither a system library nor isp's: where
 * a person would look first. */
size_t sched_stack_top(struct sched_sites *sites, const uint32_t *frames, size_t n);

/* A library that isp preloads into ranks. */
bool sched_module_is_isps(const char *module);
/* A library of a sanitizer's: a program may have one, or it is linked into the program. */
bool sched_module_is_sanitizers(const char *module);
/* The C library, MPI, isp and the like; also of a module without a name. */
bool sched_module_is_system(const char *module);
/* "function:file" of what stands for a line of Python (isp/wire.h); NULL: it is a module. */
const char *sched_module_python(const char *module);

#endif

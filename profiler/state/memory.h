/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of the program, for its state: what is private to the process and can be written, without
 * MPI's and isp's. */
#ifndef PROF_STATE_MEMORY_H
#define PROF_STATE_MEMORY_H

#include <stdint.h>

#include "base/hash.h"

/* stack: the program's frames lie from here on. error: what errno counts as. NULL, or why it cannot be
 * known. */
const char *prof_state_memory(struct prof_hash *hash, uintptr_t stack, int error);
/* How many bytes that were the last time. */
uint64_t prof_state_memory_bytes(void);

#endif

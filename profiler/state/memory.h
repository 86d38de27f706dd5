/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of the program, for its state: what is private to the process and can be written, without
 * MPI's and isp's. */
#ifndef PROF_STATE_MEMORY_H
#define PROF_STATE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

/* stack: the program's frames lie from here on. ignored: what does not count (outside/ignored.h). error: what
 * errno counts as. NULL, or why it cannot be known. */
struct prof_ignored;
const char *prof_state_memory(struct prof_hash *hash, uintptr_t stack, const struct prof_ignored *ignored,
                              int error);
/* Adds 64 bits of it, a sum over pages: what changes adds the same to the states before and after it, unless
 * these differ in that page. False: it is not known. */
bool prof_state_memory_sum(uint64_t *value, uintptr_t stack, const struct prof_ignored *ignored);
/* If set: gets each page that counts, by address, as it counts (what does not count is zeros), and none that
 * is all zeros. */
extern void (*prof_state_visit)(uint64_t page, const void *content);
/* The mapping around the address, the last time; NULL: it was in none of the program's own. */
struct prof_mapping;
const struct prof_mapping *prof_state_mapping(uintptr_t address);
/* How many bytes that were the last time. */
uint64_t prof_state_memory_bytes(void);

#endif

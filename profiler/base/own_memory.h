/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that a rank shares with the processes that it is forked into, for isp's own use: it is told from
 * memory that the program shares (process/forked.c).
 */
#ifndef PROF_OWN_MEMORY_H
#define PROF_OWN_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* All zero, and takes room only where it is written. NULL: errno says why. */
void *prof_own_memory_map(size_t bytes);
/* What a file has there, to be written, too. NULL likewise. */
void *prof_own_memory_of(int fd, off_t offset, size_t bytes);
/* NULL of NULL. */
void *prof_own_memory_unmap(void *start);
bool prof_own_memory_has(uintptr_t address);

#endif

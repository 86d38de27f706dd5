/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that this process can write, as one number. */
#ifndef PROF_WRITABLE_H
#define PROF_WRITABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Adds a hash, linear in the memory's words, of what is private to this process and can be written, without
 * isp's own and the stacks of threads: of the stack that `stack` lies in, what is above it; with `all`,
 * everything else too. What is ignored does not count. False: it is too much, or it cannot be known what
 * there is.
 */
struct prof_ignored;
bool prof_writable_hash(uintptr_t stack, const struct prof_ignored *ignored, bool all, uint64_t *hash);

/*
 * The same of what is likely to hold a variable, and is read fast: the stack above `stack`; with `statics`,
 * also the static memory of the
 * program and of modules that came with it (not MPI's, nor any of the system's, which works for MPI too), if
 * that is
 * a megabyte at most. The bytes at `unless` do not count, nor what is ignored. False: the stack cannot be
 * found.
 */
bool prof_writable_hash_small(uintptr_t stack, const struct prof_ignored *ignored, bool statics,
                              const void *unless, size_t bytes, uint64_t *hash);

/* Where a module keeps the addresses of functions that are looked up when they are called first. They lie in
 * order. False: it has none. */
struct dl_phdr_info;
bool prof_writable_lazy(const struct dl_phdr_info *module, uintptr_t *start, uintptr_t *end);

/* Memory of a window, which others may write at any time: the words that it touches do not count until it is
 * taken back. */
void prof_writable_leave_out(const void *base, size_t size);
void prof_writable_take_back(const void *base, size_t size);

#endif

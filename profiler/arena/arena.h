/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libisp-arena.so, preloaded in front of libisp.so where states of ranks are to be compared: what MPI's
 * libraries and isp allocate lies in memory of its own (the arena), so that it neither moves nor changes what
 * the program has. Its functions are found by name (profiler/state/arena_link.c): libisp.so works without it.
 */
#ifndef ISP_ARENA_H
#define ISP_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From here on a thread for which `inside` says true is in a call of MPI. False: there is no arena, since the
 * program has an allocator of its own. */
bool isp_arena_begin(bool (*inside)(void));
/* From here on MPI begins, and there it has begun: what was mapped meanwhile (`fresh`: start and end of each;
 * memory of no file, and this process's own) is MPI's, unless the program has mapped it. UCX takes care that
 * nobody stands in front of its functions. */
void isp_arena_beginning(void);
void isp_arena_has_begun(const uintptr_t (*fresh)[2], size_t n);
/* What belongs to MPI's libraries and to isp, in parts, by number from 0: the arena, what they have mapped,
 * and their modules' data. False: there are no more of these. */
bool isp_arena_part(unsigned i, uintptr_t *start, uintptr_t *end);
/* NULL: what belongs to them is known. Else why not. */
const char *isp_arena_doubt(void);

enum isp_arena_owner { ISP_ARENA_PROGRAMS, ISP_ARENA_MPIS, ISP_ARENA_EITHERS };

/* Whose module the address is in: EITHERS is what works for both (the C library). */
enum isp_arena_owner isp_arena_owner_of(uintptr_t address);

/* From here on each block of the program's that is given out or taken back is told. False: the program has
 * an allocator of its own. */
bool isp_arena_watch(void (*changed)(const void *start, size_t bytes));

/* ---- between its own files ---- */

/* True: the call that returns there is on behalf of MPI. */
bool isp_arena_is_mpis(const void *caller);
/* Data of modules, as isp_arena_part; and whether the program itself uses one that MPI uses. */
bool isp_arena_module_part(unsigned i, uintptr_t *start, uintptr_t *end);
const char *isp_arena_modules_doubt(void);
/* What is in a module that is not MPI's is not MPI's, whatever was there before. */
void isp_arena_leave_out_modules(void);
void isp_arena_not_mpis(uintptr_t start, size_t size);
/* A module that is known to bring its own malloc() is there. */
bool isp_arena_is_other_allocator(void);

/* NULL: no room; the caller takes it elsewhere. alignment: a power of two. */
void *isp_arena_take(size_t size, size_t alignment);
bool isp_arena_has(const void *p);
size_t isp_arena_size(const void *p);
void isp_arena_give(void *p);
bool isp_arena_bounds(uintptr_t *start, uintptr_t *end);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of one run. All that a struct poe points to is in its arena, so that the state of the run can be
 * saved by copying bytes and restored by copying them back to the same addresses (poe_save): pointers stay
 * valid.
 *
 * Memory is cut off the end of a few chunks, each twice as large as the one before; chunks stay where they
 * are until the arena is destroyed. What is freed waits in a list of its size class. Big blocks are no
 * exception. The lists are part of what is saved, so that the allocator is restored too.
 *
 * With AddressSanitizer, what is not allocated is poisoned.
 */
#ifndef POE_ARENA_H
#define POE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct poe_arena;
struct poe_saved;

struct poe_arena *poe_arena_create(void);
void poe_arena_destroy(struct poe_arena *arena); /* and all that is in it */

void *poe_arena_new(struct poe_arena *arena, size_t bytes); /* zeros; does not fail */
void *poe_arena_resize(struct poe_arena *arena, void *old, size_t bytes);
/* Room for at least `need` elements of this size, new ones zero; doubles. */
void *poe_arena_grow(struct poe_arena *arena, void *old, uint32_t *room, uint32_t need, size_t element);
void poe_arena_free(struct poe_arena *arena, void *old);

/* See poe_save. */
struct poe_saved *poe_arena_save(struct poe_arena *arena);
void poe_arena_restore(struct poe_arena *arena, struct poe_saved *saved);

#endif

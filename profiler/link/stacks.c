/* SPDX-License-Identifier: BSD-3-Clause */
/* See stacks.h. Stacks lie one behind the other in an arena of addresses, of which only what is used takes
 * memory; so a site is known to be a stack by where it lies. When it is full (after two million stacks),
 * sites are addresses again. */
#include "stacks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "bindings.h"

#define ARENA ((size_t)2 << 20) /* stacks */

static struct prof_stack *arena;
static size_t used;
static struct prof_stack **table; /* a hash of them: open addressing */
static size_t room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void prof_stacks_begin(void)
{
    if (arena)
        return;
    void *memory = mmap(NULL, ARENA * sizeof *arena, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return;
    arena = memory;
    prof_bindings_take_stacks();
}

const struct prof_stack *prof_stack_of(const void *site)
{
    uintptr_t from = (uintptr_t)arena, at = (uintptr_t)site;
    return from && at >= from && at < from + ARENA * sizeof *arena ? site : NULL;
}

static struct prof_stack **find(const void *const *frames, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ (uintptr_t)frames[i]) * 0x9e3779b97f4a7c15u;
    for (size_t i = hash >> 32;; i++) {
        struct prof_stack **place = &table[i & (room - 1)];
        if (!*place || ((*place)->n == n && memcmp((*place)->frames, frames, n * sizeof *frames) == 0))
            return place;
    }
}

static void grow(void)
{
    free(table);
    room = room ? 2 * room : 1024;
    table = prof_alloc(room, sizeof(struct prof_stack *));
    for (size_t i = 0; i < used; i++)
        *find(arena[i].frames, arena[i].n) = &arena[i];
}

const void *prof_stack_site(const void *const *frames, uint32_t n)
{
    pthread_mutex_lock(&lock);
    if (2 * (used + 1) > room)
        grow();
    struct prof_stack **place = find(frames, n);
    if (!*place && used < ARENA) {
        *place = &arena[used++];
        (*place)->n = n;
        memcpy((*place)->frames, frames, n * sizeof *frames);
    }
    const void *site = *place ? (const void *)*place : frames[0];
    pthread_mutex_unlock(&lock);
    return site;
}

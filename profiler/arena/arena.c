/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arena: one mapping, of which more and more is used. Blocks are of some sizes only, four for each
 * power of two, and what is given back is kept in a list for its size. In front of each block is what the C
 * library would have there of a block that is mapped by itself: malloc_usable_size() works.
 *
 * Two halves, each with a lock: the main thread's and that of MPI's own threads. A process that is forked
 * for a checkpoint has the main thread only, and never waits for a thread that is not there: who cannot get
 * a lock goes elsewhere.
 */
#include "arena.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { HEAD = 16, SMALLEST = 32, CLASSES = 4 * 40, PATIENCE = 1 << 12, MAPPED_BIT = 2 };

static const size_t MOST = (size_t)1 << 30, LEAST = (size_t)16 << 20;

struct block {
    struct block *next; /* while it is free */
};

static struct half {
    atomic_flag lock;
    uintptr_t start, end, used; /* up to here */
    struct block *free[CLASSES];
} halves[2] = {{.lock = ATOMIC_FLAG_INIT}, {.lock = ATOMIC_FLAG_INIT}};

static _Atomic uintptr_t low, high;
static atomic_flag making = ATOMIC_FLAG_INIT;
static atomic_bool is_made;

/* Where no sanitizer, no library and no heap is. Bit 31 of these addresses is clear: where it is set MPICH
 * 4.0.2 takes some for negative numbers, and loses memory (tests/soak/calls.c). */
static void *const place = (void *)0x100000000000;

/* Not by the functions that are in front of the C library's. */
static void *map(size_t size)
{
    void *p = (void *)syscall(SYS_mmap, place, size, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void make(void)
{
    size_t size = MOST;
    char *p = NULL;
    if (atomic_flag_test_and_set(&making)) {
        while (!is_made)
            sched_yield();
        return;
    }
    while (size >= LEAST && !(p = map(size)))
        size /= 2;
    if (p) {
        halves[0].start = halves[0].used = (uintptr_t)p;
        halves[0].end = halves[1].start = halves[1].used = (uintptr_t)p + size / 4 * 3;
        halves[1].end = (uintptr_t)p + size;
        high = halves[1].end;
        low = halves[0].start;
    }
    is_made = true;
}

bool isp_arena_bounds(uintptr_t *start, uintptr_t *end)
{
    *start = low;
    *end = high;
    return low != 0;
}

bool isp_arena_has(const void *p) { return (uintptr_t)p - low < high - low; }

static bool lock(struct half *h)
{
    for (int i = 0; atomic_flag_test_and_set_explicit(&h->lock, memory_order_acquire); i++) {
        if (i == PATIENCE)
            return false;
        sched_yield();
    }
    return true;
}

static void unlock(struct half *h) { atomic_flag_clear_explicit(&h->lock, memory_order_release); }

/* The smallest class of blocks that are so large with their heads; *size: how large these are. */
static unsigned class_of(size_t *size)
{
    size_t room = SMALLEST, step = HEAD;
    unsigned class = 0;
    while (room < *size) {
        room += step;
        if (++class % 4 == 0)
            step *= 2;
    }
    *size = room; /* of a block of this size it is the class as well */
    return class;
}

/* The block's word before it: its size with its head. */
static size_t *head_of(const void *p) { return (size_t *)((uintptr_t)p - sizeof(size_t)); }

size_t isp_arena_size(const void *p) { return (*head_of(p) & ~(size_t)7) - HEAD; }

static struct half *half_of_thread(void) { return &halves[syscall(SYS_gettid) != syscall(SYS_getpid)]; }

/* A block with an alignment beyond 16 is never used again for another: it is rare. */
static void *take_aligned(struct half *h, size_t size, size_t alignment)
{
    uintptr_t at = (h->used + HEAD + alignment - 1) & ~(uintptr_t)(alignment - 1);
    size = (size + 15) & ~(size_t)15;
    if (at < h->used || at > h->end || h->end - at < size)
        return NULL;
    h->used = at + size;
    *head_of((void *)at) = (size + HEAD) | MAPPED_BIT;
    return (void *)at;
}

static void *take(struct half *h, size_t size)
{
    size_t whole = size + HEAD;
    unsigned class = class_of(&whole);
    if (class >= CLASSES)
        return NULL;
    struct block *b = h->free[class];
    if (b) {
        h->free[class] = b->next;
        return b;
    }
    if (h->end - h->used < whole)
        return NULL;
    b = (struct block *)(h->used + HEAD);
    h->used += whole;
    *head_of(b) = whole | MAPPED_BIT;
    return b;
}

void *isp_arena_take(size_t size, size_t alignment)
{
    if (!is_made)
        make();
    if (!low || size > MOST)
        return NULL;
    struct half *h = half_of_thread();
    if (!lock(h))
        return NULL;
    void *p = alignment > HEAD ? take_aligned(h, size, alignment) : take(h, size);
    unlock(h);
    return p;
}

/* One that cannot be had at once is lost. */
void isp_arena_give(void *p)
{
    struct half *h = &halves[(uintptr_t)p >= halves[1].start];
    size_t whole = *head_of(p) & ~(size_t)7, room = whole;
    unsigned class = class_of(&room);
    if (room != whole || class >= CLASSES || !lock(h))
        return;
    struct block *b = p;
    b->next = h->free[class];
    h->free[class] = b;
    unlock(h);
}

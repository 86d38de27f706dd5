/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of one run, saved and restored: see arena.h. */
#include "arena.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "poe/poe.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
enum { POISONS = 1, GUARD = 16 }; /* bytes after a block that nobody may use */
#else
enum { POISONS = 0, GUARD = 0 };
#define ASAN_POISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#endif

enum {
    UNIT = 16,     /* sizes are multiples of it, addresses too */
    CLASSES = 140, /* of sizes, four for each power of two; up to 2^40 bytes */
    CHUNKS = 32,
    FIRST_CHUNK = 1 << 16,
    PAGE = 1 << 10, /* what saves share */
};

struct block {
    uint64_t bytes : 63; /* asked for */
    uint64_t free : 1;
    union {
        struct block *next; /* free */
        char data[8];
    } u;
};

enum { HEADER = offsetof(struct block, u) };

/* What is saved besides the memory. */
struct arena_state {
    size_t used[CHUNKS];
    struct block *free[CLASSES];
};

struct poe_arena {
    struct arena_state state;
    struct {
        char *memory;
        size_t bytes;
    } chunks[CHUNKS];
    unsigned n_chunks;
    struct poe_saved *last; /* saved or restored: most of it is still so */
};

/* ---- sizes ---- */

/* Units 1 to 8 are classes 0 to 7, then 10, 12, 14, 16, 20 ... */
static unsigned class_of(size_t bytes)
{
    size_t last = (HEADER + bytes + GUARD + UNIT - 1) / UNIT - 1;
    unsigned shift = 0;
    while (last >> shift > 7)
        shift++;
    return 4 * shift + (unsigned)(last >> shift);
}

static size_t size_of_class(unsigned class)
{
    return UNIT * (class < 8 ? (size_t) class + 1 : (size_t)(class % 4 + 5) << (class / 4 - 1));
}

static struct block *block_of(void *data) { return (struct block *)((char *)data - HEADER); }

/* ---- blocks ---- */

static void chunk_add(struct poe_arena *a, size_t size)
{
    assert(a->n_chunks < CHUNKS);
    size_t bytes = a->n_chunks ? 2 * a->chunks[a->n_chunks - 1].bytes : FIRST_CHUNK;
    while (bytes < size + UNIT)
        bytes *= 2;
    char *memory = poe_alloc(NULL, bytes);
    ASAN_POISON_MEMORY_REGION(memory, bytes);
    a->chunks[a->n_chunks].memory = memory;
    a->chunks[a->n_chunks++].bytes = bytes;
}

/* Every chunk is asked: one may have come to its end because of a big block, or be empty since a restore. */
static struct block *carve(struct poe_arena *a, size_t size)
{
    for (unsigned i = 0;; i++) {
        if (i == a->n_chunks)
            chunk_add(a, size);
        size_t *used = &a->state.used[i];
        if (!*used)
            *used = UNIT - HEADER; /* so that what follows the header is aligned */
        if (a->chunks[i].bytes - *used >= size) {
            struct block *b = (struct block *)(a->chunks[i].memory + *used);
            *used += size;
            return b;
        }
    }
}

/* From now on `bytes` of it are used. */
static void block_use(struct block *b, size_t bytes)
{
    size_t room = size_of_class(class_of(bytes)) - HEADER;
    ASAN_UNPOISON_MEMORY_REGION(b, HEADER + bytes);
    ASAN_POISON_MEMORY_REGION((char *)b + HEADER + bytes, room - bytes);
    b->bytes = bytes, b->free = false;
}

static void *block_create(struct poe_arena *a, size_t bytes)
{
    unsigned class = class_of(bytes);
    assert(class < CLASSES);
    struct block *b = a->state.free[class];
    if (b) {
        ASAN_UNPOISON_MEMORY_REGION(b, sizeof *b);
        a->state.free[class] = b->u.next;
    } else {
        b = carve(a, size_of_class(class));
    }
    block_use(b, bytes);
    return b->u.data;
}

void poe_arena_free(struct poe_arena *a, void *old)
{
    if (!old)
        return;
    struct block *b = block_of(old);
    assert(!b->free);
    unsigned class = class_of(b->bytes);
    ASAN_UNPOISON_MEMORY_REGION(&b->u, sizeof b->u);
    b->u.next = a->state.free[class];
    b->free = true;
    a->state.free[class] = b;
    ASAN_POISON_MEMORY_REGION(&b->u, size_of_class(class) - HEADER);
}

void *poe_arena_new(struct poe_arena *a, size_t bytes) { return memset(block_create(a, bytes), 0, bytes); }

void *poe_arena_resize(struct poe_arena *a, void *old, size_t bytes)
{
    size_t had = old ? block_of(old)->bytes : 0;
    if (old && class_of(had) == class_of(bytes)) {
        block_use(block_of(old), bytes);
        return old;
    }
    void *p = block_create(a, bytes);
    if (old)
        memcpy(p, old, had < bytes ? had : bytes);
    poe_arena_free(a, old);
    return p;
}

void *poe_arena_grow(struct poe_arena *a, void *old, uint32_t *room, uint32_t need, size_t element)
{
    if (need <= *room)
        return old;
    uint32_t more = poe_room(*room, need);
    char *p = poe_arena_resize(a, old, more * element);
    memset(p + *room * element, 0, (more - *room) * element);
    *room = more;
    return p;
}

struct poe_arena *poe_arena_create(void)
{
    struct poe_arena *a = poe_alloc(NULL, sizeof *a);
    return memset(a, 0, sizeof *a);
}

void poe_arena_destroy(struct poe_arena *a)
{
    poe_saved_destroy(a->last);
    for (unsigned i = 0; i < a->n_chunks; i++)
        free(a->chunks[i].memory);
    free(a);
}

/* ---- save and restore ---- */

struct page {
    uint32_t references, bytes;
    char data[];
};

struct poe_saved {
    unsigned references;
    size_t bytes; /* that it shares with none before it */
    struct arena_state state;
    size_t n_pages;
    struct page *pages[]; /* of all chunks */
};

/* AddressSanitizer lets nobody copy what is poisoned. */
static void expose(struct poe_arena *a)
{
    for (unsigned i = 0; POISONS && i < a->n_chunks; i++)
        ASAN_UNPOISON_MEMORY_REGION(a->chunks[i].memory, a->chunks[i].bytes);
}

static void hide_chunk(char *memory, size_t used, size_t bytes)
{
    size_t at = UNIT - HEADER;
    for (; at < used;) {
        struct block *b = (struct block *)(memory + at);
        size_t size = size_of_class(class_of(b->bytes)), open = b->free ? 0 : b->bytes;
        ASAN_POISON_MEMORY_REGION((char *)b + HEADER + open, size - HEADER - open);
        at += size;
    }
    ASAN_POISON_MEMORY_REGION(memory + at, bytes - at);
}

static void hide(struct poe_arena *a)
{
    for (unsigned i = 0; POISONS && i < a->n_chunks; i++)
        hide_chunk(a->chunks[i].memory, a->state.used[i], a->chunks[i].bytes);
}

static size_t pages_of(size_t used) { return (used + PAGE - 1) / PAGE; }

static size_t bytes_of_page(size_t used, size_t k) { return used - k * PAGE < PAGE ? used - k * PAGE : PAGE; }

/* The page as it is in `old`, or a copy. */
static struct page *page_save(struct poe_saved *s, struct page *old, const char *data, size_t bytes)
{
    if (old && old->bytes == bytes && memcmp(old->data, data, bytes) == 0) {
        old->references++;
        return old;
    }
    struct page *page = poe_alloc(NULL, sizeof *page + bytes);
    page->references = 1;
    page->bytes = (uint32_t)bytes;
    memcpy(page->data, data, bytes);
    s->bytes += sizeof *page + bytes;
    return page;
}

static void last_is(struct poe_arena *a, struct poe_saved *s)
{
    s->references++;
    poe_saved_destroy(a->last);
    a->last = s;
}

struct poe_saved *poe_arena_save(struct poe_arena *a)
{
    size_t n = 0;
    for (unsigned i = 0; i < a->n_chunks; i++)
        n += pages_of(a->state.used[i]);
    struct poe_saved *s = poe_alloc(NULL, sizeof *s + n * sizeof(struct page *));
    *s = (struct poe_saved){
        .references = 1, .bytes = sizeof *s + n * sizeof(struct page *), .state = a->state};
    size_t before = 0; /* pages of the chunks before, in the last one */
    expose(a);
    for (unsigned i = 0; i < a->n_chunks; i++) {
        size_t used = a->state.used[i], known = a->last ? pages_of(a->last->state.used[i]) : 0;
        for (size_t k = 0; k < pages_of(used); k++)
            s->pages[s->n_pages++] = page_save(s, k < known ? a->last->pages[before + k] : NULL,
                                               a->chunks[i].memory + k * PAGE, bytes_of_page(used, k));
        before += known;
    }
    hide(a);
    last_is(a, s);
    return s;
}

void poe_arena_restore(struct poe_arena *a, struct poe_saved *s)
{
    size_t n = 0;
    a->state = s->state;
    expose(a);
    for (unsigned i = 0; i < a->n_chunks; i++)
        for (size_t k = 0; k < pages_of(s->state.used[i]); k++, n++)
            memcpy(a->chunks[i].memory + k * PAGE, s->pages[n]->data, s->pages[n]->bytes);
    hide(a);
    last_is(a, s);
}

void poe_saved_destroy(struct poe_saved *s)
{
    if (!s || --s->references)
        return;
    for (size_t i = 0; i < s->n_pages; i++)
        if (--s->pages[i]->references == 0)
            free(s->pages[i]);
    free(s);
}

size_t poe_saved_bytes(const struct poe_saved *s) { return s->bytes; }

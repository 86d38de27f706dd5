/* SPDX-License-Identifier: BSD-3-Clause */
/* See compare.h. The pages of a state are copied as they count (memory.h), by address; a page that is not
 * there counts as zeros. */
#include "compare.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/own_memory.h"
#include "definitions.h"
#include "isp/differs.h"
#include "link/sites.h"
#include "link/uplink.h"
#include "memory.h"
#include "outside/caller.h"
#include "outside/place.h"
#include "rewind/mappings.h"
#include "state.h"

enum { SLOTS = ISP_COMPARE_SLOTS, PAGES = 4096, PAGE = 4096, WORDS = PAGE / 8, NEAR = 4096 };

struct page {
    uint64_t address, words[WORDS];
};

struct slot {
    struct prof_state_made made;
    uint32_t n;
    bool known, full;
    struct page pages[PAGES];
};

static struct slot *slots; /* the last one: the present state */
static struct slot *filled;

static void take_page(uint64_t address, const void *content)
{
    if (filled->n == PAGES) {
        filled->full = true;
        return;
    }
    struct page *p = &filled->pages[filled->n++];
    p->address = address;
    memcpy(p->words, content, sizeof p->words);
}

void prof_compare_begin(void) { slots = prof_own_memory_map((SLOTS + 1) * sizeof *slots); }

static bool fill(uint32_t number)
{
    struct prof_hash hash;
    if (!slots || number > SLOTS)
        return false;
    filled = &slots[number];
    filled->n = 0;
    filled->full = false;
    prof_state_visit = take_page;
    filled->known = prof_state_of_rank(&hash) == NULL;
    prof_state_visit = NULL;
    filled->made = prof_state_made;
    return filled->known;
}

void prof_compare_keep(uint32_t number) { fill(number); }

/* ---- where something is ---- */

/* The block of the C library's heap around the address: from *start to *end; without one, what is near. In
 * front of each block stands its size, with its head; the lowest bits are others'. */
static void find_block(uintptr_t at, uintptr_t *start, uintptr_t *end)
{
    uintptr_t top = (uintptr_t)sbrk(0), block = 0;
    const struct prof_mapping *heap = prof_state_mapping(at);
    *start = heap && at - heap->start > NEAR ? at - NEAR : heap ? heap->start : at;
    *end = at + 1;
    if (!heap || heap->end != top)
        return;
    for (block = heap->start; block < at;) {
        size_t size = ((const size_t *)block)[1] & ~(size_t)7;
        if (size < 32 || size > top - block)
            return;
        if (at < block + size + 8) {
            *start = block + 16;
            *end = block + size + 8;
            return;
        }
        block += size;
    }
}

struct pointer {
    uintptr_t at, to;
    bool named;
    int in_register; /* or -1 */
};

/* at 0: there is none. */
static struct pointer find_register(const struct prof_caller *c, uintptr_t start, uintptr_t at)
{
    for (unsigned i = 0; i < c->n_values; i++)
        if (c->values[i] >= start && c->values[i] <= at && c->values[i])
            return (struct pointer){1, c->values[i], true, prof_caller_register(i)};
    return (struct pointer){0};
}

/* What leads into the block, up to the address: a variable if there is one, else what is on the heap too. */
static struct pointer find_pointer(const struct prof_where *w, const struct slot *now, uintptr_t start,
                                   uintptr_t end, uintptr_t at)
{
    struct pointer best = {0};
    for (uint32_t i = 0; i < now->n; i++) {
        const struct page *p = &now->pages[i];
        bool named = (p->address + PAGE > w->stack && p->address < w->top) ||
                     prof_module_path((const void *)p->address);
        if (best.named && !named)
            continue;
        for (unsigned k = 0; k < WORDS; k++) {
            uintptr_t to = p->words[k], from = p->address + 8 * k;
            bool leads = to >= start && to <= at && to != 0 && !(from >= start && from < end);
            if (leads && (named > best.named || to > best.to))
                best = (struct pointer){from, to, named, -1};
        }
    }
    return best;
}

/* From a variable to there, from pointer to pointer: the last step is found first. by_register: of the ways
 * that end in a register, else in memory. */
static struct isp_way find_way(const struct prof_where *w, const struct slot *now, uintptr_t at,
                               bool by_register)
{
    struct isp_way way = {0};
    uintptr_t start, end;
    while (way.n_steps < ISP_DIFFERS_STEPS) {
        find_block(at, &start, &end);
        struct pointer p = {0};
        if (by_register)
            p = find_register(&now->made.caller, start, at);
        if (!p.at)
            p = find_pointer(w, now, start, end, at);
        if (!p.at)
            break;
        memmove(&way.steps[1], &way.steps[0], way.n_steps++ * sizeof *way.steps);
        way.steps[0] = at - p.to;
        at = p.at;
        if (!p.named)
            continue;
        if (p.in_register >= 0) {
            way.pointer = (struct isp_place){.kind = ISP_PLACE_REGISTER, .from_stack = p.in_register};
            prof_place_put_module(&way.pointer, now->made.site);
        } else
            way.pointer = prof_place_of(w, p.at);
        return way;
    }
    return (struct isp_way){0};
}

/* ---- what differs ---- */

struct telling {
    struct isp_buf *out;
    const struct prof_where *where;
    const struct slot *now;
    struct isp_difference open;
    uint32_t n;
    bool more;
};

static void close_run(struct telling *t)
{
    struct isp_difference *d = &t->open;
    if (d->n_words && t->n == ISP_DIFFERS_RUNS)
        t->more = true;
    if (d->n_words && t->n < ISP_DIFFERS_RUNS) {
        d->place = prof_place_of(t->where, d->address);
        if (d->place.kind == ISP_PLACE_UNKNOWN)
            for (unsigned i = 0; i < ISP_DIFFERS_WAYS; i++)
                d->ways[i] = find_way(t->where, t->now, d->address, i > 0);
        isp_put_difference(t->out, d);
        t->n++;
    }
    *d = (struct isp_difference){0};
}

static void take_word(struct telling *t, uint64_t address, uint64_t old, uint64_t now)
{
    struct isp_difference *d = &t->open;
    if (d->n_words && address != d->address + 8 * d->n_words)
        close_run(t);
    if (!d->n_words)
        d->address = address;
    if (d->n_words < ISP_DIFFERS_WORDS) {
        d->old[d->n_words] = old;
        d->now[d->n_words] = now;
    }
    d->n_words++;
}

static void take_pages(struct telling *t, const struct page *old, const struct page *now)
{
    static const struct page zeros;
    uint64_t address = old ? old->address : now->address;
    old = old ? old : &zeros;
    now = now ? now : &zeros;
    for (unsigned i = 0; i < WORDS; i++)
        if (old->words[i] != now->words[i])
            take_word(t, address + 8 * i, old->words[i], now->words[i]);
}

static void compare(struct telling *t, const struct slot *old, const struct slot *now)
{
    for (uint32_t i = 0, k = 0; i < old->n || k < now->n;) {
        const struct page *a = i < old->n ? &old->pages[i] : NULL, *b = k < now->n ? &now->pages[k] : NULL;
        bool first = a && (!b || a->address <= b->address), second = b && (!a || b->address <= a->address);
        take_pages(t, first ? a : NULL, second ? b : NULL);
        i += first;
        k += second;
    }
    close_run(t);
}

static uint64_t differing_registers(const struct prof_state_made *a, const struct prof_state_made *b)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < a->caller.n_values && i < b->caller.n_values; i++)
        if (a->caller.values[i] != b->caller.values[i])
            mask |= (uint64_t)1 << prof_caller_register(i);
    return mask;
}

void prof_compare_tell(uint32_t number)
{
    bool known = fill(SLOTS) && number < SLOTS && slots[number].known;
    const struct slot *old = known ? &slots[number] : NULL, *now = known ? &slots[SLOTS] : NULL;
    struct prof_where w = {.n = 0};
    struct isp_place at = {.kind = ISP_PLACE_MODULE};
    uint32_t parts = 0;
    if (known) {
        prof_where_find(&w, now->made.site);
        prof_place_put_module(&at, now->made.site);
    }
    for (unsigned i = 0; known && i < ISP_PARTS; i++)
        parts |= (uint32_t)(memcmp(&old->made.parts[i], &now->made.parts[i], sizeof now->made.parts[i]) != 0)
                 << i;
    /* counted first: the frame has the number in front */
    struct isp_buf differences = {0};
    struct telling t = {.out = &differences, .where = &w, .now = now};
    if (known)
        compare(&t, old, now);
    struct isp_buf *b = prof_link_begin(ISP_MSG_DIFFERS);
    isp_put_u32(b, parts);
    isp_put_u64(b, known ? differing_registers(&old->made, &now->made) : 0);
    isp_put_place(b, &at);
    isp_put_u8(b, t.more || (known && (old->full || now->full)));
    isp_put_u32(b, t.n);
    isp_put_bytes(b, differences.data, differences.size);
    prof_link_end();
    prof_link_flush();
    isp_buf_finish(&differences);
}

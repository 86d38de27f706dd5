/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A state is a length of the log of copies (copies.h): each page is, in that state, what its last copy below
 * that length says; if there is none, what it was when the process was forked; if it was not there, nothing.
 * Only pages that were written since they were protected, or have copies above that length, or are gone, can
 * be different now.
 *
 * Pages are protected again seldom: those that each run writes are copied anyway, and cost a fault each if
 * they are protected.
 *
 * All of this is in shared memory (`area`), which is not put back, with a stack on which the return runs.
 */
#include "rewind.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/own_memory.h"
#include "base/sanitized.h"
#include "copies.h"
#include "held.h"
#include "link/uplink.h"
#include "mappings.h"
#include "pages.h"

enum {
    STACK = 256 << 10,
    MOST_STATES = 4096,
    MOST_MAPPINGS = 4096, /* in one list */
    MOST_REGIONS = 16384,
    LISTS = 8 << 20,
    ROOM = 2 << 20,
    COLD = 128,    /* so many pages more than those that change, and they are protected again */
    REDZONE = 128, /* below the stack pointer, where functions may keep something */
};

struct list {
    uint32_t at, n; /* where it begins in `lists`, and how many */
};

struct state {
    ucontext_t context;
    struct prof_held held;
    uint32_t n_copies;
    unsigned spoils;
    struct prof_mappings_look look;
    struct list mappings, present; /* the latter of struct prof_region */
    uint32_t lists_end;
};

struct area {
    unsigned n;
    bool fresh; /* the process is where all[n] says, and has not moved */
    bool back;
    uint64_t epoch;
    struct prof_duplicates duplicates;
    ucontext_t returner;
    struct prof_mapping now[MOST_MAPPINGS];
    struct prof_region regions[MOST_REGIONS];
    uint64_t popped[PROF_COPIES_MOST]; /* pages whose copies have left the log */
    struct state all[MOST_STATES];
    _Alignas(16) char stack[STACK];
    _Alignas(16) char lists[LISTS];
    _Alignas(PROF_PAGE) char room[ROOM];
};

static struct area *area; /* NULL: none can be taken */
static unsigned spoils;

/* ---- lists ---- */

static const struct state *below(unsigned n) { return n > 0 ? &area->all[n - 1] : NULL; }

/* Behind all lists so far. False: there is no room. */
static bool put_list(struct state *s, struct list *list, const void *items, size_t n, size_t size)
{
    if (s->lists_end + n * size > LISTS)
        return false;
    memcpy(area->lists + s->lists_end, items, n * size);
    *list = (struct list){s->lists_end, (uint32_t)n};
    s->lists_end += (uint32_t)((n * size + 15) & ~(size_t)15);
    return true;
}

static const struct prof_mapping *mappings_of(const struct state *s)
{
    return (const struct prof_mapping *)(area->lists + s->mappings.at);
}

static const struct prof_region *present_of(const struct state *s)
{
    return (const struct prof_region *)(area->lists + s->present.at);
}

static bool each_page(const struct state *s, uint64_t start, uint64_t end, prof_mapping_visit *visit,
                      void *context)
{
    return prof_mappings_each_page(mappings_of(s), s->mappings.n, start, end, visit, context);
}

/* ---- which pages are written ---- */

static void watch(size_t n_mappings)
{
    prof_pages_watch(area->now, n_mappings);
    area->epoch++;
}

static void protect(void)
{
    prof_pages_protect(area->regions, MOST_REGIONS);
    area->epoch++;
}

uint64_t prof_rewind_epoch(void) { return area ? area->epoch : 0; }

void *prof_rewind_room(size_t bytes) { return area && bytes <= ROOM ? area->room : NULL; }

/* ---- noting one ---- */

static bool note_mappings(struct state *s, const struct state *before)
{
    prof_mappings_look(&s->look);
    if (before && prof_mappings_look_same(&s->look, &before->look)) {
        s->mappings = before->mappings;
        return true;
    }
    long n = prof_mappings_read(area->now, MOST_MAPPINGS);
    if (n < 0)
        return false;
    if (before && prof_mappings_are_alike(mappings_of(before), before->mappings.n, area->now, (size_t)n)) {
        s->mappings = before->mappings;
        return true;
    }
    watch((size_t)n);
    return put_list(s, &s->mappings, area->now, (size_t)n, sizeof *area->now);
}

struct tally {
    size_t written, changed; /* pages */
};

static bool note_page(const struct prof_mapping *m, uint64_t page, void *tally)
{
    struct tally *t = tally;
    const void *content = prof_copies_of(page);
    t->written++;
    if (content && memcmp(content, (const void *)page, PROF_PAGE) == 0)
        return true;
    t->changed++;
    return prof_copies_push(page);
}

/* More was written than there is room for, perhaps: to find that out by copying would take longer than a
 * fork. */
static bool is_too_much(long n)
{
    size_t pages = 0;
    for (long i = 0; i < n; i++)
        pages += area->regions[i].written ? (area->regions[i].end - area->regions[i].start) / PROF_PAGE : 0;
    return pages > PROF_COPIES_MOST - prof_copies_count();
}

static bool note_pages(struct state *s)
{
    long n = prof_pages_scan(mappings_of(s), s->mappings.n, area->regions, MOST_REGIONS);
    struct tally tally = {0};
    if (is_too_much(n))
        return false;
    for (long i = 0; i < n; i++)
        if (area->regions[i].written &&
            !each_page(s, area->regions[i].start, area->regions[i].end, note_page, &tally))
            return false;
    if (n < 0 || !put_list(s, &s->present, area->regions, (size_t)n, sizeof *area->regions))
        return false;
    if (tally.written > 2 * tally.changed + COLD)
        protect();
    return true;
}

static __attribute__((noinline)) bool note(struct state *s)
{
    const struct state *before = below(area->n);
    uint32_t n_copies = prof_copies_count();
    s->lists_end = before ? before->lists_end : 0;
    s->spoils = spoils;
    if (prof_held_note(&s->held, &area->duplicates, area->n) && note_mappings(s, before) && note_pages(s)) {
        s->n_copies = prof_copies_count();
        return true;
    }
    while (prof_copies_count() > n_copies)
        prof_copies_pop();
    return false;
}

/* The context is older than the copies by nothing that matters: this function's frame is the same in both. */
__attribute__((noinline)) enum prof_rewind prof_rewind_note(void)
{
    if (!area || area->n == MOST_STATES)
        return PROF_REWIND_NONE;
    if (!area->fresh) {
        area->back = false;
        getcontext(&area->all[area->n].context);
        if (area->back)
            return PROF_REWIND_BACK;
        if (!note(&area->all[area->n]))
            return PROF_REWIND_NONE;
    }
    area->fresh = false;
    area->n++;
    return PROF_REWIND_NOTED;
}

unsigned prof_rewind_count(void) { return area ? area->n : 0; }

void prof_rewind_moved(void)
{
    if (area)
        area->fresh = false;
}

void prof_rewind_spoil(void) { spoils++; }

/* ---- going back ---- */

/* Of the program's stack only what was in use then. */
static bool is_below_stack(const struct state *s, const struct prof_mapping *m, uint64_t page)
{
#if defined __x86_64__
    uint64_t top = (uint64_t)s->context.uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
    uint64_t top = s->context.uc_mcontext.sp;
#else
    uint64_t top = 0;
#endif
    return m->stack && top >= m->start && top < m->end && page + PROF_PAGE <= top - REDZONE;
}

static int compare_page(const void *key, const void *region)
{
    uint64_t page = *(const uint64_t *)key;
    const struct prof_region *r = region;
    return page < r->start ? -1 : page >= r->end;
}

static bool was_there(const struct state *s, uint64_t page)
{
    return bsearch(&page, present_of(s), s->present.n, sizeof(struct prof_region), compare_page);
}

static bool return_page(const struct prof_mapping *m, uint64_t page, void *state)
{
    const struct state *s = state;
    const void *content = prof_copies_of(page);
    if (is_below_stack(s, m, page))
        return true;
    if (content)
        memcpy((void *)page, content, PROF_PAGE);
    else if (was_there(s, page))
        prof_copies_return_first(page);
    else if (m->inode)
        madvise((void *)page, PROF_PAGE, MADV_DONTNEED); /* as it is in the file */
    else
        memset((void *)page, 0, PROF_PAGE);
    return true;
}

static void return_region(struct state *s, uint64_t start, uint64_t end)
{
    each_page(s, start, end, return_page, s);
}

/* Pages that were there then and are gone. */
static void return_missing(struct state *s, size_t n_now)
{
    const struct prof_region *then = present_of(s), *now = area->regions;
    size_t k = 0;
    for (uint32_t i = 0; i < s->present.n; i++) {
        uint64_t at = then[i].start;
        while (at < then[i].end) {
            while (k < n_now && now[k].end <= at)
                k++;
            uint64_t there = k < n_now && now[k].start < then[i].end ? now[k].start : then[i].end;
            if (there > at)
                return_region(s, at, there);
            at = k < n_now && now[k].end < then[i].end ? now[k].end : then[i].end;
        }
    }
}

static void return_pages(struct state *s)
{
    uint32_t n_popped = 0;
    while (prof_copies_count() > s->n_copies)
        area->popped[n_popped++] = prof_copies_pop();
    long n = prof_pages_scan(mappings_of(s), s->mappings.n, area->regions, MOST_REGIONS);
    if (n < 0)
        _exit(1);
    for (uint32_t i = 0; i < n_popped; i++)
        return_region(s, area->popped[i], area->popped[i] + PROF_PAGE);
    for (long i = 0; i < n; i++)
        if (area->regions[i].written)
            return_region(s, area->regions[i].start, area->regions[i].end);
    return_missing(s, (size_t)n);
    prof_copies_flush();
}

static bool return_mappings(const struct state *s)
{
    struct prof_mappings_look look;
    prof_mappings_look(&look);
    if (prof_mappings_look_same(&look, &s->look))
        return true;
    long n = prof_mappings_read(area->now, MOST_MAPPINGS);
    return n >= 0 && (prof_mappings_are_alike(area->now, (size_t)n, mappings_of(s), s->mappings.n) ||
                      prof_mappings_return(area->now, (size_t)n, mappings_of(s), s->mappings.n));
}

/* On a stack of its own. */
static void go_back(void)
{
    struct state *s = &area->all[area->n - 1];
    if (s->spoils != spoils || !prof_held_return(&s->held, &area->duplicates, area->n - 1) ||
        !return_mappings(s))
        _exit(1);
    return_pages(s);
    area->n--;
    area->fresh = area->back = true;
    setcontext(&s->context);
}

void prof_rewind_return(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    getcontext(&area->returner);
    area->returner.uc_stack = (stack_t){.ss_sp = area->stack, .ss_size = sizeof area->stack};
    area->returner.uc_link = NULL;
    makecontext(&area->returner, go_back, 0);
    setcontext(&area->returner);
    _exit(1);
}

unsigned prof_rewind_spoils(void) { return spoils; }

/* ---- beginning ---- */

static bool note_exclusive(const struct prof_mapping *m, uint64_t page, void *unused)
{
    return !prof_pages_is_exclusive(page) || prof_copies_push(page);
}

/* Pages that differ from the parent's by now. Those that it writes later it writes in this process too,
 * before this. */
static bool note_own(size_t n_mappings)
{
    long n = prof_pages_scan(area->now, n_mappings, area->regions, MOST_REGIONS);
    for (long i = 0; i < n; i++)
        if (!prof_mappings_each_page(area->now, n_mappings, area->regions[i].start, area->regions[i].end,
                                     note_exclusive, NULL))
            return false;
    return n >= 0;
}

/* Who sanitizes has a third of all addresses mapped, and something to say at the end. */
bool prof_rewind_is_possible(void)
{
    return !getenv("ISP_FORK_ONLY") && !prof_is_sanitized() && prof_settings()->memory != ISP_MEMORY_WATCH &&
           prof_pages_begin();
}

static bool begin(void)
{
    prof_duplicates_begin();
    if (!prof_rewind_is_possible() || !prof_mappings_begin() || !prof_copies_begin())
        return false;
    long n = prof_mappings_read(area->now, MOST_MAPPINGS);
    if (n < 0)
        return false;
    watch((size_t)n);
    protect();
    return note_own((size_t)n);
}

void prof_rewind_begin(void)
{
    prof_own_memory_unmap(area); /* the parent's */
    area = prof_own_memory_map(sizeof *area);
    if (area && !begin())
        area = prof_own_memory_unmap(area);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What was in pages is kept in a log of versions, a copy of a page each; a snapshot is a length of the log. A page is, in that
 * snapshot, what its last version below that length says; if there is none, what it is in the parent; if it was not there, nothing. Only
 * pages that were written since they were protected, or have versions above that length, or are gone, can be different now.
 *
 * Pages are protected again seldom: those that each run writes are copied anyway, and cost a fault each if they are protected.
 *
 * All of this is in shared memory (`area`), which is not put back, with a stack on which the return runs.
 */
#include "rewind.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "held.h"
#include "mappings.h"
#include "pages.h"
#include "uplink.h"

enum {
    STACK = 256 << 10,
    MOST_STATES = 4096,
    MOST_VERSIONS = 16384, /* 64 MB. With more to copy a fork is as good */
    SLOTS = 2 * MOST_VERSIONS,
    MOST_MAPPINGS = 4096, /* in one list */
    MOST_REGIONS = 16384,
    LISTS = 8 << 20,
    MOST_READS = 512, /* of the parent's memory in one system call */
    MOST_BASES = 1024, /* pages of the parent that are kept here as well; the others are read each time */
    COLD = 128,      /* so many pages more than those that change, and they are protected again */
    REDZONE = 128,   /* below the stack pointer, where functions may keep something */
};

struct version {
    uint64_t page;
    uint32_t before; /* the one before it of the same page, + 1; 0: none */
};

struct list {
    uint32_t at, n; /* where it begins in `lists`, and how many */
};

struct state {
    ucontext_t context;
    struct prof_held held;
    uint32_t n_versions;
    unsigned spoils;
    struct prof_mappings_look look;
    struct list mappings, present; /* the latter of struct prof_region */
    uint32_t lists_end;
};

struct area {
    unsigned n;
    bool fresh; /* the process is where all[n] says, and has not moved */
    bool back;
    uint32_t n_versions;
    pid_t parent;
    ucontext_t returner;
    size_t n_reads, n_bases;
    struct prof_mapping now[MOST_MAPPINGS];
    struct prof_region regions[MOST_REGIONS];
    struct iovec reads[MOST_READS];
    uint64_t base_of[2 * MOST_BASES]; /* by page (hashed): that page */
    struct state all[MOST_STATES];
    struct version versions[MOST_VERSIONS];
    uint32_t newest[SLOTS]; /* by page (hashed): its newest version + 1 */
    _Alignas(16) char stack[STACK];
    _Alignas(16) char lists[LISTS];
    _Alignas(PROF_PAGE) char pages[MOST_VERSIONS][PROF_PAGE];
    char bases[2 * MOST_BASES][PROF_PAGE];
};

static struct area *area; /* NULL: none can be taken */
static unsigned spoils;

/* ---- versions ---- */

static uint32_t hash(uint64_t page) { return (uint32_t)((page / PROF_PAGE) * 0x9e3779b97f4a7c15u >> 32); }

static uint32_t slot_of(uint64_t page)
{
    uint32_t i = hash(page) % SLOTS;
    while (area->newest[i] && area->versions[area->newest[i] - 1].page != page)
        i = (i + 1) % SLOTS;
    return i;
}

static const char *content_of(uint64_t page)
{
    uint32_t version = area->newest[slot_of(page)];
    return version ? area->pages[version - 1] : NULL;
}

static bool push(uint64_t page)
{
    uint32_t slot = slot_of(page);
    if (area->n_versions == MOST_VERSIONS)
        return false;
    memcpy(area->pages[area->n_versions], (const void *)page, PROF_PAGE);
    area->versions[area->n_versions] = (struct version){page, area->newest[slot]};
    area->newest[slot] = ++area->n_versions;
    return true;
}

/* The last one of all. Those behind its slot may have been put there because it was taken. */
static void pop(void)
{
    const struct version *v = &area->versions[--area->n_versions];
    uint32_t slot = slot_of(v->page);
    area->newest[slot] = v->before;
    if (v->before)
        return;
    for (uint32_t i = (slot + 1) % SLOTS; area->newest[i]; i = (i + 1) % SLOTS) {
        uint32_t version = area->newest[i];
        area->newest[i] = 0;
        area->newest[slot_of(area->versions[version - 1].page)] = version;
    }
}

/* ---- lists ---- */

static const struct state *below(unsigned n)
{
    return n > 0 ? &area->all[n - 1] : NULL;
}

/* Room for a list at the end of all; SIZE_MAX: none. */
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

/* ---- taking one ---- */

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
    prof_pages_watch(area->now, (size_t)n);
    return put_list(s, &s->mappings, area->now, (size_t)n, sizeof *area->now);
}

static bool note_page(uint64_t page, size_t *changed)
{
    const char *content = content_of(page);
    if (content && memcmp(content, (const void *)page, PROF_PAGE) == 0)
        return true;
    ++*changed;
    return push(page);
}

static bool note_region(const struct state *s, const struct prof_region *r, size_t *written, size_t *changed)
{
    const struct prof_mapping *m = mappings_of(s), *end = m + s->mappings.n;
    for (m = prof_mapping_from(m, s->mappings.n, r->start); m < end && m->start < r->end; m++) {
        uint64_t page = m->start > r->start ? m->start : r->start, last = m->end < r->end ? m->end : r->end;
        for (; prof_mapping_is_own(m) && page < last; page += PROF_PAGE, ++*written)
            if (!note_page(page, changed))
                return false;
    }
    return true;
}

static bool note_pages(struct state *s)
{
    long n = prof_pages_scan(mappings_of(s), s->mappings.n, area->regions, MOST_REGIONS);
    size_t written = 0, changed = 0;
    for (long i = 0; i < n; i++)
        if (area->regions[i].written && !note_region(s, &area->regions[i], &written, &changed))
            return false;
    if (n < 0 || !put_list(s, &s->present, area->regions, (size_t)n, sizeof *area->regions))
        return false;
    if (written > 2 * changed + COLD)
        prof_pages_protect(area->regions, MOST_REGIONS);
    return true;
}

static __attribute__((noinline)) bool note(struct state *s)
{
    const struct state *before = below(area->n);
    uint32_t n_versions = area->n_versions;
    s->lists_end = before ? before->lists_end : 0;
    s->spoils = spoils;
    if (prof_held_note(&s->held) && note_mappings(s, before) && note_pages(s)) {
        s->n_versions = area->n_versions;
        return true;
    }
    while (area->n_versions > n_versions)
        pop();
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

unsigned prof_rewind_count(void)
{
    return area ? area->n : 0;
}

void prof_rewind_moved(void)
{
    if (area)
        area->fresh = false;
}

void prof_rewind_spoil(void)
{
    spoils++;
}

/* ---- going back ---- */

static uint32_t base_slot(uint64_t page)
{
    uint32_t i = hash(page) % (2 * MOST_BASES);
    while (area->base_of[i] && area->base_of[i] != page)
        i = (i + 1) % (2 * MOST_BASES);
    return i;
}

static void keep_base(const struct iovec *read)
{
    for (size_t i = 0; i < read->iov_len && area->n_bases < MOST_BASES; i += PROF_PAGE, area->n_bases++) {
        uint64_t page = (uint64_t)read->iov_base + i;
        uint32_t slot = base_slot(page);
        area->base_of[slot] = page;
        memcpy(area->bases[slot], (const void *)page, PROF_PAGE);
    }
}

static void read_parent(void)
{
    struct iovec *at = area->reads, *end = at + area->n_reads;
    while (at < end) {
        ssize_t n = process_vm_readv(area->parent, at, (size_t)(end - at), at, (size_t)(end - at), 0);
        if (n <= 0)
            _exit(1); /* it is gone, and this one is of no use */
        for (; at < end && (size_t)n >= at->iov_len; at++) {
            n -= (ssize_t)at->iov_len;
            keep_base(at);
        }
        if (n > 0)
            *at = (struct iovec){(char *)at->iov_base + n, at->iov_len - (size_t)n};
    }
    area->n_reads = 0;
}

static void return_base(uint64_t page)
{
    uint32_t slot = base_slot(page);
    if (area->base_of[slot]) {
        memcpy((void *)page, area->bases[slot], PROF_PAGE);
        return;
    }
    struct iovec *last = area->n_reads ? &area->reads[area->n_reads - 1] : NULL;
    if (last && (char *)last->iov_base + last->iov_len == (char *)page) {
        last->iov_len += PROF_PAGE;
        return;
    }
    if (area->n_reads == MOST_READS)
        read_parent();
    area->reads[area->n_reads++] = (struct iovec){(void *)page, PROF_PAGE};
}

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

static bool was_there(const struct state *s, uint64_t page)
{
    const struct prof_region *then = present_of(s);
    size_t low = 0, high = s->present.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (then[middle].end <= page)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->present.n && then[low].start <= page;
}

static void return_page(const struct state *s, const struct prof_mapping *m, uint64_t page)
{
    const char *content = content_of(page);
    if (is_below_stack(s, m, page))
        return;
    if (content)
        memcpy((void *)page, content, PROF_PAGE);
    else if (was_there(s, page))
        return_base(page);
    else if (m->inode)
        madvise((void *)page, PROF_PAGE, MADV_DONTNEED); /* as it is in the file */
    else
        memset((void *)page, 0, PROF_PAGE);
}

static void return_region(const struct state *s, uint64_t start, uint64_t end)
{
    const struct prof_mapping *m = mappings_of(s), *last = m + s->mappings.n;
    for (m = prof_mapping_from(m, s->mappings.n, start); m < last && m->start < end; m++) {
        uint64_t page = m->start > start ? m->start : start, stop = m->end < end ? m->end : end;
        for (; prof_mapping_is_own(m) && page < stop; page += PROF_PAGE)
            return_page(s, m, page);
    }
}

/* Pages that were there then and are gone. */
static void return_missing(const struct state *s, size_t n_now)
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

static void return_pages(const struct state *s)
{
    uint32_t had = area->n_versions;
    while (area->n_versions > s->n_versions)
        pop();
    long n = prof_pages_scan(mappings_of(s), s->mappings.n, area->regions, MOST_REGIONS);
    if (n < 0)
        _exit(1);
    for (uint32_t i = s->n_versions; i < had; i++)
        return_region(s, area->versions[i].page, area->versions[i].page + PROF_PAGE);
    for (long i = 0; i < n; i++)
        if (area->regions[i].written)
            return_region(s, area->regions[i].start, area->regions[i].end);
    return_missing(s, (size_t)n);
    read_parent();
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
    if (s->spoils != spoils || !prof_held_return(&s->held) || !return_mappings(s))
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

/* ---- beginning ---- */

static bool reads_parent(void)
{
    static int probe = 1;
    int there = 0;
    struct iovec to = {&there, sizeof there}, from = {&probe, sizeof probe};
    return process_vm_readv(area->parent, &to, 1, &from, 1, 0) == sizeof there && there == 1;
}

/* Pages that differ from the parent's by now. Those that it writes later it writes in this process too, before this. */
static bool note_own(size_t n_mappings)
{
    long n = prof_pages_scan(area->now, n_mappings, area->regions, MOST_REGIONS);
    for (long i = 0; i < n; i++) {
        const struct prof_region *r = &area->regions[i];
        for (uint64_t page = r->start; page < r->end; page += PROF_PAGE) {
            const struct prof_mapping *m = prof_mapping_of(area->now, n_mappings, page);
            if (m && prof_mapping_is_own(m) && prof_pages_is_exclusive(page) && !push(page))
                return false;
        }
    }
    return n >= 0;
}

/* Who sanitizes has a third of all addresses mapped, and something to say at the end. */
static bool is_sanitized(void)
{
    return dlsym(RTLD_DEFAULT, "__sanitizer_print_stack_trace");
}

static bool begin(void)
{
    const char *how = getenv("ISP_FORK_ONLY");
    if (how || is_sanitized() || prof_settings()->memory == ISP_MEMORY_WATCH)
        return false;
    area->parent = getppid();
    if (!prof_pages_begin() || !prof_mappings_begin() || !reads_parent())
        return false;
    long n = prof_mappings_read(area->now, MOST_MAPPINGS);
    if (n < 0)
        return false;
    prof_pages_watch(area->now, (size_t)n);
    prof_pages_protect(area->regions, MOST_REGIONS);
    return note_own((size_t)n);
}

void prof_rewind_begin(void)
{
    if (area)
        munmap(area, sizeof *area); /* the parent's */
    void *map = mmap(NULL, sizeof *area, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    area = map == MAP_FAILED ? NULL : map;
    if (area && !begin()) {
        munmap(area, sizeof *area);
        area = NULL;
    }
}

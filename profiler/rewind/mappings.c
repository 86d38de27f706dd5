/* SPDX-License-Identifier: BSD-3-Clause */
/* Called on a stack of its own while the program's memory is being replaced: no allocation, no stdio. */
#include "mappings.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/own_ids.h"
#include "own_descriptor.h"

enum { LINE = 512 };

/* ioctl of /proc/self/maps, Linux 6.11; older headers do not have it (linux/fs.h). */
struct query {
    uint64_t size, flags, address, start, end, protection /* QUERY_READABLE ... */, page_size, offset, inode;
    uint32_t major, minor, name_size, build_id_size;
    uint64_t name, build_id;
};

#define PROCMAP_QUERY _IOWR('f', 17, struct query)

enum {
    QUERY_READABLE = 1,
    QUERY_WRITABLE = 2,
    QUERY_EXECUTABLE = 4,
    QUERY_SHARED = 8,
    QUERY_OR_NEXT = 16,
};

static int maps = -1, statm = -1;
static uint64_t stack_end;
static unsigned unmapped;

bool prof_mapping_is_own(const struct prof_mapping *m) { return !m->shared && (m->protection & PROT_WRITE); }

/* The first one that ends above this address; all + n: none. */
static const struct prof_mapping *find_from(const struct prof_mapping *all, size_t n, uint64_t address)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (all[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return all + low;
}

bool prof_mappings_each_page(const struct prof_mapping *all, size_t n, uint64_t start, uint64_t end,
                             prof_mapping_visit *visit, void *context)
{
    for (const struct prof_mapping *m = find_from(all, n, start); m < all + n && m->start < end; m++) {
        uint64_t page = m->start > start ? m->start : start, stop = m->end < end ? m->end : end;
        for (; prof_mapping_is_own(m) && page < stop; page += PROF_PAGE)
            if (!visit(m, page, context))
                return false;
    }
    return true;
}

bool prof_mappings_begin(void)
{
    static pid_t begun;
    if (begun == prof_own_pid())
        return true;
    if (!prof_own_descriptor_open(&maps, "/proc/self/maps") ||
        !prof_own_descriptor_open(&statm, "/proc/self/statm"))
        return false;
    begun = prof_own_pid();
    return true;
}

/* ---- a short look ---- */

void prof_mappings_unmapped(void) { unmapped++; }

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static uint64_t count_pages(void)
{
    char text[64];
    ssize_t n = pread(statm, text, sizeof text - 1, 0);
    uint64_t pages = 0;
    for (ssize_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        pages = 10 * pages + (uint64_t)(text[i] - '0');
    return pages;
}

void prof_mappings_look(struct prof_mappings_look *look)
{
    struct query q = {.size = sizeof q, .flags = QUERY_WRITABLE | QUERY_OR_NEXT};
    *look = (struct prof_mappings_look){.pages = count_pages(), .unmapped = unmapped};
    uint64_t hash = 1;
    for (; ioctl(maps, PROCMAP_QUERY, &q) == 0; q.address = q.end) {
        if (q.end == stack_end) {
            look->pages -= (q.end - q.start) / PROF_PAGE;
            continue;
        }
        hash = mix(mix(mix(hash, q.start), q.end), q.protection);
        hash = mix(mix(hash, q.inode), q.offset);
    }
    look->written = errno == ENOENT ? hash | 1 : 0;
}

bool prof_mappings_look_same(const struct prof_mappings_look *a, const struct prof_mappings_look *b)
{
    return a->written && a->written == b->written && a->pages == b->pages && a->unmapped == b->unmapped;
}

/* ---- reading ---- */

static uint64_t take_number(const char **text, unsigned base)
{
    uint64_t value = 0;
    for (;; (*text)++) {
        unsigned c = (unsigned char)**text;
        unsigned digit = c - '0' < 10 ? c - '0' : c - 'a' < 6 ? c - 'a' + 10 : base;
        if (digit >= base)
            break;
        value = value * base + digit;
    }
    (*text)++; /* what ends it */
    return value;
}

/* start-end rwxp offset major:minor inode   name */
static struct prof_mapping take_line(const char *text)
{
    struct prof_mapping m = {.start = take_number(&text, 16)};
    m.end = take_number(&text, 16);
    m.protection = (uint16_t)((text[0] == 'r' ? PROT_READ : 0) | (text[1] == 'w' ? PROT_WRITE : 0) |
                              (text[2] == 'x' ? PROT_EXEC : 0));
    m.shared = text[3] == 's';
    text += 5;
    m.offset = take_number(&text, 16);
    m.device = (uint32_t)take_number(&text, 16) << 20;
    m.device |= (uint32_t)take_number(&text, 16);
    m.inode = take_number(&text, 10);
    while (*text == ' ')
        text++;
    m.stack = strncmp(text, "[stack]", 7) == 0;
    return m;
}

static bool joins(const struct prof_mapping *a, const struct prof_mapping *b)
{
    return a->end == b->start && !a->inode && !b->inode && a->protection == b->protection && !a->shared &&
           !b->shared && !a->stack && !b->stack;
}

static long add(struct prof_mapping *all, long n, size_t room, struct prof_mapping m)
{
    if (!m.inode)
        m.offset = 0;
    if (m.stack)
        stack_end = m.end;
    if (n > 0 && joins(&all[n - 1], &m)) {
        all[n - 1].end = m.end;
        return n;
    }
    if ((size_t)n == room)
        return -1;
    all[n] = m;
    return n + 1;
}

/* Stretches, of which those are passed over that end before what is looked for, which comes by address. */
struct stretches {
    const struct prof_stretch *at;
    size_t left;
};

static bool are_around(struct stretches *s, uint64_t start, uint64_t end)
{
    for (; s->left && s->at->end <= start; s->left--)
        s->at++;
    return s->left && s->at->start <= start && s->at->end >= end;
}

/* There a page of the kernel's is ([vsyscall]), which is the same in all processes. */
static const uint64_t kernels = (uint64_t)1 << 63;

static long read_text(struct stretches without, struct prof_mapping *all, size_t room)
{
    char text[16384 + LINE];
    size_t kept = 0;
    off_t at = 0;
    long n = 0;
    for (;;) {
        ssize_t got = pread(maps, text + kept, sizeof text - kept - 1, at);
        if (got <= 0)
            return got == 0 && kept == 0 ? n : -1;
        at += got;
        size_t size = kept + (size_t)got;
        text[size] = '\0';
        const char *line = text, *end;
        for (; n >= 0 && (end = memchr(line, '\n', size - (size_t)(line - text))); line = end + 1) {
            struct prof_mapping m = take_line(line);
            if (m.start < kernels && !are_around(&without, m.start, m.end))
                n = add(all, n, room, m);
        }
        if (n < 0)
            return -1;
        kept = size - (size_t)(line - text);
        memmove(text, line, kept);
    }
}

static struct prof_mapping answered(const struct query *q)
{
    return (struct prof_mapping){
        .start = q->start,
        .end = q->end,
        .offset = q->offset,
        .inode = q->inode,
        .device = q->major << 20 | q->minor,
        .protection = (uint16_t)((q->protection & QUERY_READABLE ? PROT_READ : 0) |
                                 (q->protection & QUERY_WRITABLE ? PROT_WRITE : 0) |
                                 (q->protection & QUERY_EXECUTABLE ? PROT_EXEC : 0)),
        .shared = (q->protection & QUERY_SHARED) != 0,
        .stack = q->end == stack_end,
    };
}

/* -1: the kernel does not answer, or there is not so much room. */
static long ask(struct stretches without, struct prof_mapping *all, size_t room)
{
    struct query q = {.size = sizeof q, .flags = QUERY_OR_NEXT};
    long n = 0;
    while (n >= 0) {
        if (are_around(&without, q.address, q.address + 1))
            q.address = without.at->end;
        if (ioctl(maps, PROCMAP_QUERY, &q) < 0)
            return errno == ENOENT ? n : -1;
        if (!are_around(&without, q.start, q.end))
            n = add(all, n, room, answered(&q));
        q.address = q.end;
    }
    return n;
}

long prof_mappings_read(struct prof_mapping *all, size_t room)
{
    return read_text((struct stretches){0}, all, room);
}

long prof_mappings_read_without(const struct prof_stretch *without, size_t n_without,
                                struct prof_mapping *all, size_t room, bool by_text)
{
    struct stretches s = {without, n_without};
    long n = stack_end && !by_text ? ask(s, all, room) : -1;
    return n >= 0 ? n : read_text(s, all, room);
}

/* ---- comparing ---- */

static bool is_alike(const struct prof_mapping *a, const struct prof_mapping *b)
{
    if (a->stack && b->stack)
        return true;
    return a->start == b->start && a->end == b->end && a->offset == b->offset && a->inode == b->inode &&
           a->device == b->device && a->protection == b->protection && a->shared == b->shared;
}

bool prof_mappings_are_alike(const struct prof_mapping *a, size_t n, const struct prof_mapping *b, size_t m)
{
    for (size_t i = 0; n == m && i < n; i++)
        if (!is_alike(&a[i], &b[i]))
            return false;
    return n == m;
}

/* ---- going back ---- */

static bool is_same_place(const struct prof_mapping *a, const struct prof_mapping *b)
{
    return a->shared == b->shared && a->inode == b->inode && a->device == b->device &&
           (!a->inode || a->offset - a->start == b->offset - b->start);
}

/* One stretch of addresses on which both are constant; NULL: nothing is mapped. */
static bool turn(uint64_t start, uint64_t end, const struct prof_mapping *now,
                 const struct prof_mapping *then)
{
    void *at = (void *)start;
    if ((now && now->stack) || (then && then->stack))
        return true;
    if (!then)
        return munmap(at, end - start) == 0;
    if (!now)
        return !then->shared && !then->inode &&
               mmap(at, end - start, then->protection,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0) == at;
    return is_same_place(now, then) && now->protection == then->protection;
}

bool prof_mappings_return(const struct prof_mapping *now, size_t n_now, const struct prof_mapping *then,
                          size_t n_then)
{
    uint64_t at = 0;
    for (size_t i = 0, k = 0; i < n_now || k < n_then;) {
        const struct prof_mapping *a = i < n_now ? &now[i] : NULL, *b = k < n_then ? &then[k] : NULL;
        uint64_t a_start = !a              ? UINT64_MAX
                           : a->start > at ? a->start
                                           : at,
                 b_start = !b              ? UINT64_MAX
                           : b->start > at ? b->start
                                           : at;
        uint64_t start = a_start < b_start ? a_start : b_start, end = UINT64_MAX;
        bool in_a = a && a_start == start, in_b = b && b_start == start;
        if (a)
            end = in_a ? a->end : a_start;
        if (b && (in_b ? b->end : b_start) < end)
            end = in_b ? b->end : b_start;
        if (!turn(start, end, in_a ? a : NULL, in_b ? b : NULL))
            return false;
        at = end;
        i += a && a->end <= at;
        k += b && b->end <= at;
    }
    return true;
}

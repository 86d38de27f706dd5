/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which memory there is, /proc/self/maps says; which pages of it are in use, PAGEMAP_SCAN (Linux 6.7; without
 * it, all of them are read). Pages that are not in use count as zeros, so that one which is used for the
 * first time changes nothing until something is written there.
 */
#include "writable.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/pagemap.h"
#include "base/peek.h"
#include "ignored.h"

enum { PAGE = 4096, RANGES = 512, CHUNK = 1 << 14, LINE = 512, LANES = 8 };

static const uint64_t MOST = (uint64_t)64 << 20;       /* bytes to read */
static const uint64_t MOST_STATIC = (uint64_t)1 << 20; /* ... for a small hash, but for the stack */
static const uint64_t FACTOR = 0x9e3779b97f4a7c15u;

struct range {
    uintptr_t start, end;
    bool file; /* its pages that are not in use are not zeros */
};

static struct range ranges[RANGES], stack_range;
static unsigned n_ranges;

/* ---- what does not count ---- */

static struct range *outside; /* of windows */
static unsigned n_outside;

static struct range words_of(uintptr_t start, uintptr_t size)
{
    return (struct range){.start = start & ~(uintptr_t)7, .end = (start + size + 7) & ~(uintptr_t)7};
}

void prof_writable_leave_out(const void *base, size_t size)
{
    outside = prof_grow(outside, n_outside + 1, sizeof *outside);
    outside[n_outside++] = words_of((uintptr_t)base, size);
}

void prof_writable_take_back(const void *base, size_t size)
{
    struct range gone = words_of((uintptr_t)base, size);
    for (unsigned i = 0; i < n_outside; i++)
        if (outside[i].start == gone.start && outside[i].end == gone.end) {
            outside[i] = outside[--n_outside];
            return;
        }
}

extern const ptrdiff_t __rseq_offset __attribute__((weak)); /* since glibc 2.35 */
enum { OWN = 64 };
static struct {
    struct range data[OWN];
    unsigned n;
} own;

static void add_own(uintptr_t start, uintptr_t size)
{
    if (own.n < OWN && size)
        own.data[own.n++] = words_of(start, size);
}

/* Bytes that do not count this time. */
static struct range without;
static const struct prof_ignored *ignored;

static bool lazy_of(const struct dl_phdr_info *info, const ElfW(Dyn) * dynamic, uintptr_t *start,
                    uintptr_t *end)
{
    uintptr_t table = 0, size = 0, rela = DT_RELA;
    for (; dynamic->d_tag != DT_NULL; dynamic++) {
        table = dynamic->d_tag == DT_JMPREL ? dynamic->d_un.d_ptr : table;
        size = dynamic->d_tag == DT_PLTRELSZ ? dynamic->d_un.d_val : size;
        rela = dynamic->d_tag == DT_PLTREL ? dynamic->d_un.d_val : rela;
    }
    if (!table || rela != DT_RELA || size < sizeof(ElfW(Rela)))
        return false;
    const ElfW(Rela) *all = (const ElfW(Rela) *)(table < info->dlpi_addr ? info->dlpi_addr + table : table);
    uintptr_t first = all->r_offset, last = all[size / sizeof *all - 1].r_offset;
    *start = info->dlpi_addr + first;
    *end = info->dlpi_addr + last + sizeof(uintptr_t);
    return first <= last;
}

bool prof_writable_lazy(const struct dl_phdr_info *info, uintptr_t *start, uintptr_t *end)
{
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC && info->dlpi_addr)
            return lazy_of(info, (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), start,
                           end);
    return false;
}

static void add_lazy(const struct dl_phdr_info *info)
{
    uintptr_t start, end;
    if (prof_writable_lazy(info, &start, &end))
        add_own(start, end - start);
}

/* Of the module that this function is in, its data and its variables of this thread. */
static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    bool mine = false;
    add_lazy(info);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;
        mine |= p->p_type == PT_LOAD && (uintptr_t)&own >= at && (uintptr_t)&own < at + p->p_memsz;
    }
    for (int i = 0; mine && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_W))
            add_own(info->dlpi_addr + p->p_vaddr, p->p_memsz);
        if (p->p_type == PT_TLS &&
            size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data)
            add_own((uintptr_t)info->dlpi_tls_data, p->p_memsz);
    }
    return 0;
}

/* Where isp's handler of accesses to watched memory works: UCX has made it. */
static void add_signal_stack(void)
{
    stack_t stack;
    if (sigaltstack(NULL, &stack) == 0 && !(stack.ss_flags & SS_DISABLE))
        add_own((uintptr_t)stack.ss_sp, stack.ss_size);
}

/* ---- what there is ---- */

static uintptr_t hexadecimal(const char **text)
{
    uintptr_t value = 0;
    for (;; (*text)++) {
        unsigned c = (unsigned char)**text, digit = c - '0' < 10 ? c - '0' : c - 'a' < 6 ? c - 'a' + 10 : 16;
        if (digit > 15)
            return value;
        value = value * 16 + digit;
    }
}

/* Modules whose memory is none of the program's: MPI's own thread may write at any time, and libgcc keeps
 * what the unwinder has found. */
static bool is_mpis(const char *path)
{
    static const char *const names[] = {"libisp",    "libmpi", "libopen-", "libuc",    "libpmi",
                                        "libfabric", "libpsm", "libhwloc", "libgcc_s", "ld-linux"};
    const char *name = strrchr(path, '/');
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name && strncmp(name + 1, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Their data, to the end of the last page. The kernel makes one mapping of what is zeros in the beginning and
 * of what is mapped behind that: another module's variables of the thread, or the program's memory. */
enum { MODULES = 64 };
static struct range mpis_data[MODULES];
static unsigned n_mpis_data;

static int visit_mpis(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (int i = 0; i < info->dlpi_phnum && is_mpis(info->dlpi_name); i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr, end = at + p->p_memsz;
        if (p->p_type == PT_LOAD && p->p_flags & PF_W && n_mpis_data < MODULES)
            mpis_data[n_mpis_data++] = (struct range){at, (end + PAGE - 1) & ~(uintptr_t)(PAGE - 1), false};
    }
    return 0;
}

/* Where MPI's data end that begin before the address; 0: it is not in there. */
static uintptr_t end_of_mpis(uintptr_t address)
{
    for (unsigned i = 0; i < n_mpis_data; i++)
        if (address >= mpis_data[i].start && address < mpis_data[i].end)
            return mpis_data[i].end;
    return 0;
}

struct reading {
    uintptr_t stack, end; /* of the mapping before */
    bool is_guard;        /* ... which may be the guard of a thread's stack */
    size_t thread_stack;  /* bytes, which glibc maps behind the guard */
};

enum { MOST_GUARD = 1 << 16 };

static size_t size_of_thread_stack(void)
{
    pthread_attr_t attributes;
    size_t size = 0;
    if (pthread_getattr_default_np(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &size);
        pthread_attr_destroy(&attributes);
    }
    return size;
}

/* Where what counts begins, of a mapping that has no name. */
static uintptr_t past_others(const struct reading *r, uintptr_t start)
{
    uintptr_t data = end_of_mpis(start);
    uintptr_t stack = r->is_guard && start == r->end ? start + r->thread_stack : 0;
    start = data > start ? data : start;
    return stack > start ? stack : start;
}

static bool take_line(struct reading *r, const char *line)
{
    uintptr_t start = hexadecimal(&line);
    line++;
    uintptr_t end = hexadecimal(&line);
    const char *protection = line + 1, *name = strchr(line, '/');
    bool writable = protection[1] == 'w' && protection[3] == 'p';
    const char *bracket = strchr(line, '[');
    bool heap = bracket && strncmp(bracket, "[heap]", 6) == 0;
    uintptr_t from = name || bracket ? start : past_others(r, start);
    r->is_guard = protection[0] == '-' && !name && end - start <= MOST_GUARD;
    r->end = end;
    if (r->stack >= start && r->stack < end) {
        stack_range = (struct range){start, end, false};
        return true;
    }
    if (!writable || (name && is_mpis(name)) || from >= end || (bracket && !heap))
        return true;
    if (n_ranges == RANGES)
        return false;
    ranges[n_ranges++] = (struct range){from, end, name != NULL};
    return true;
}

/* False: more than there is room for. */
static bool read_maps(uintptr_t stack)
{
    static char chunk[CHUNK + 1];
    struct reading r = {.stack = stack, .thread_stack = size_of_thread_stack()};
    size_t n = 0;
    n_mpis_data = 0;
    dl_iterate_phdr(visit_mpis, NULL);
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0;
    n_ranges = 0;
    stack_range = (struct range){0};
    for (ssize_t got; ok && (got = read(fd, chunk + n, CHUNK - n)) > 0;) {
        char *line = chunk, *end;
        n += (size_t)got;
        chunk[n] = '\0';
        for (; ok && (end = strchr(line, '\n')); line = end + 1) {
            *end = '\0';
            ok = take_line(&r, line);
        }
        n -= (size_t)(line - chunk);
        memmove(chunk, line, n);
        ok = ok && n < CHUNK;
    }
    if (fd >= 0)
        close(fd);
    return ok && stack_range.end;
}

/* ---- hashing ---- */

static uint64_t weight(uintptr_t page)
{
    uint64_t w = (uint64_t)page * FACTOR;
    return (w ^ w >> 29) | 1;
}

/* Sum over the words of word times a power of FACTOR. */
static uint64_t hash_page(const uint64_t *words)
{
    uint64_t lane[LANES] = {0}, sum = 0;
    for (int i = 0; i < PAGE / 8; i += LANES)
        for (int k = 0; k < LANES; k++)
            lane[k] = lane[k] * FACTOR + words[i + k];
    for (int k = 0; k < LANES; k++)
        sum = sum * 0xc2b2ae3d27d4eb4fu + lane[k];
    return sum;
}

static bool meets(const struct range *all, unsigned n, uintptr_t start, uintptr_t end)
{
    for (unsigned i = 0; i < n; i++)
        if (start < all[i].end && end > all[i].start)
            return true;
    return false;
}

static bool is_left_out(uintptr_t page)
{
    for (unsigned i = 0; i < n_outside; i++)
        if (page >= outside[i].start && page + PAGE <= outside[i].end)
            return true;
    return false;
}

/* Of the page's copy, these bytes. */
static void blank(void *copy, uintptr_t page, uintptr_t start, uintptr_t end)
{
    start = start > page ? start : page;
    end = end < page + PAGE ? end : page + PAGE;
    if (start < end)
        memset((char *)copy + (start - page), 0, end - start);
}

/* A page of which some words may not count. The kernel reads it: a debug register may watch it. */
static uint64_t hash_counted(uintptr_t page, uintptr_t from, uintptr_t to)
{
    uint64_t words[PAGE / 8];
    if (!prof_peek(words, (const void *)page, sizeof words)) {
        if (errno == EFAULT) /* nobody can read it */
            memset(words, 0, sizeof words);
        else
            memcpy(words, (const void *)page, sizeof words);
    }
    blank(words, page, without.start, without.end);
    for (unsigned i = 0; i < ignored->n; i++)
        blank(words, page, ignored->ranges[i].start, ignored->ranges[i].end);
    bool whole = page >= from && page + PAGE <= to && !meets(own.data, own.n, page, page + PAGE) &&
                 !meets(outside, n_outside, page, page + PAGE);
    for (uintptr_t at = page; !whole && at < page + PAGE; at += 8) {
        bool counts = at >= from && at < to;
        if (!counts || meets(own.data, own.n, at, at + 8) || meets(outside, n_outside, at, at + 8))
            words[(at - page) / 8] = 0;
    }
    return hash_page(words);
}

static uint64_t hash_range(uintptr_t start, uintptr_t end)
{
    uint64_t sum = 0;
    for (uintptr_t page = start & ~(uintptr_t)(PAGE - 1); page < end; page += PAGE) {
        if (is_left_out(page))
            continue;
        sum += weight(page) * hash_counted(page, start, end);
    }
    return sum;
}

/* ---- pages that are in use ---- */

enum { USED = 256 };

static bool add_range(const struct range *r, int pagemap, uint64_t *left, uint64_t *hash)
{
    static struct prof_scanned used[USED];
    int64_t guards = r->file || pagemap < 0 ? -1 : prof_pagemap_guards(pagemap);
    struct prof_scan s = {.size = sizeof s,
                          .start = r->start,
                          .end = r->end,
                          .regions = (uintptr_t)used,
                          .room = USED,
                          .inverted = (uint64_t)guards,
                          .all_of = (uint64_t)guards,
                          .any_of = PROF_PAGE_PRESENT | PROF_PAGE_SWAPPED,
                          .returned = PROF_PAGE_PRESENT};
    while (s.start < r->end) {
        int n = guards < 0 ? -1 : ioctl(pagemap, PROF_PAGEMAP_SCAN, &s);
        if (n < 0) {
            n = 1;
            used[0] = (struct prof_scanned){.start = s.start, .end = r->end};
            s.walk_end = r->end;
        }
        for (int i = 0; i < n; i++) {
            if (used[i].end - used[i].start > *left)
                return false;
            *left -= used[i].end - used[i].start;
            *hash += hash_range(used[i].start, used[i].end);
        }
        s.start = s.walk_end;
    }
    return true;
}

/* Stacks of threads may be one mapping: glibc 2.42 leaves none that nobody can read between them. What glibc
 * knows of a thread is in the last page of its stack. */
static void end_stack_with_thread(uintptr_t stack)
{
#if defined __x86_64__
    uintptr_t thread = (uintptr_t)__builtin_thread_pointer(), end = (thread + PAGE) & ~(uintptr_t)(PAGE - 1);
    if (thread > stack && end < stack_range.end)
        stack_range.end = end;
#endif
}

bool prof_writable_hash(uintptr_t stack, const struct prof_ignored *without_these, bool all, uint64_t *hash)
{
    ignored = without_these;
    uint64_t left = MOST;
    if (sysconf(_SC_PAGESIZE) != PAGE || !read_maps(stack))
        return false;
    own.n = 0;
    add_own((uintptr_t)&errno, sizeof errno);
    if (&__rseq_offset) /* where the kernel writes on which processor the thread runs */
        add_own((uintptr_t)__builtin_thread_pointer() + (uintptr_t)__rseq_offset, 64);
    add_signal_stack();
    dl_iterate_phdr(visit, NULL);
    end_stack_with_thread(stack);
    if (stack_range.end - stack > left)
        return false;
    *hash += hash_range(stack & ~(uintptr_t)7, stack_range.end);
    int pagemap = all ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    bool ok = true;
    for (unsigned i = 0; ok && all && i < n_ranges; i++)
        ok = add_range(&ranges[i], pagemap, &left, hash);
    if (pagemap >= 0)
        close(pagemap);
    return ok;
}

/* ---- the small hash ---- */

/* Of this thread: it ends where it always does. */
static __thread struct range thread_stack __attribute__((tls_model("initial-exec")));

/* Variables of this thread do not belong to its stack, at whose upper end they are. */
static int stop_below(struct dl_phdr_info *info, size_t size, void *context)
{
    struct range *r = context;
    bool has = size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data;
    uintptr_t at = has ? (uintptr_t)info->dlpi_tls_data : 0;
    if (at > r->start && at < r->end)
        r->end = at;
    return 0;
}

/* stack_range; /proc/self/maps is read once, unless the program has made the stack itself. */
static bool find_stack(uintptr_t stack)
{
    uintptr_t own_thread = (uintptr_t)__builtin_thread_pointer(),
              main_thread = (uintptr_t)getauxval(AT_RANDOM);
    if (stack >= thread_stack.start && stack < thread_stack.end) {
        stack_range = thread_stack;
        return true;
    }
    if (!read_maps(stack))
        return false;
    if (own_thread > stack && own_thread < stack_range.end) {
        struct range below = {stack, own_thread, false};
        dl_iterate_phdr(stop_below, &below);
        stack_range.end = below.end;
        thread_stack = stack_range;
    } else if (main_thread > stack && main_thread < stack_range.end) {
        thread_stack = stack_range;
    }
    return true;
}

enum { STATICS = 64 };
static struct {
    struct range all[STATICS], lazy[OWN]; /* what counts, and does not */
    unsigned n, n_lazy;
    unsigned long long loaded, unloaded; /* modules, when they were found */
    bool known;
} statics;

static bool is_systems(const char *path)
{
    return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0;
}

static void add_static(uintptr_t start, uintptr_t end, bool file)
{
    if (statics.n < STATICS && start < end)
        statics.all[statics.n++] = (struct range){start, end, file};
}

/* Its last page may be from the file as a whole. */
static void add_segment(uintptr_t at, const ElfW(Phdr) * p)
{
    uintptr_t filled = (at + p->p_filesz + PAGE - 1) & ~(uintptr_t)(PAGE - 1), end = at + p->p_memsz;
    if (p->p_filesz == 0)
        filled = at & ~(uintptr_t)(PAGE - 1);
    add_static(at, filled < end ? filled : end, true);
    add_static(filled, (end + PAGE - 1) & ~(uintptr_t)(PAGE - 1), false);
}

static bool is_isps(const struct dl_phdr_info *info)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t at = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)&own >= at &&
            (uintptr_t)&own < at + info->dlpi_phdr[i].p_memsz)
            return true;
    }
    return false;
}

static int visit_static(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)context;
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
        if (statics.known && statics.loaded == info->dlpi_adds && statics.unloaded == info->dlpi_subs)
            return 1;
        if (!statics.known)
            statics.loaded = info->dlpi_adds, statics.unloaded = info->dlpi_subs;
    }
    if (statics.known) { /* no longer */
        statics.known = false;
        return 1;
    }
    if (is_isps(info) || is_mpis(info->dlpi_name) || is_systems(info->dlpi_name) ||
        strstr(info->dlpi_name, "vdso"))
        return 0;
    add_lazy(info);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_W))
            add_segment(info->dlpi_addr + p->p_vaddr, p);
    }
    return 0;
}

/* A program that has MPI's archive in it has isp's too, and then what is its own cannot be told. */
static void find_statics(void)
{
    if (statics.known)
        dl_iterate_phdr(visit_static, NULL);
    if (statics.known)
        return;
    statics.n = own.n = 0;
    dl_iterate_phdr(visit_static, NULL);
    memcpy(statics.lazy, own.data, own.n * sizeof *own.data);
    statics.n_lazy = own.n;
    statics.known = true;
}

static void add_statics(uint64_t *hash)
{
    uint64_t left = MOST_STATIC;
    find_statics();
    memcpy(own.data, statics.lazy, statics.n_lazy * sizeof *own.data);
    own.n = statics.n_lazy;
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (unsigned i = 0; i < statics.n; i++)
        add_range(&statics.all[i], pagemap, &left, hash);
    if (pagemap >= 0)
        close(pagemap);
}

bool prof_writable_hash_small(uintptr_t stack, const struct prof_ignored *without_these, bool with_statics,
                              const void *unless, size_t bytes, uint64_t *hash)
{
    ignored = without_these;
    if (sysconf(_SC_PAGESIZE) != PAGE || !find_stack(stack) || stack_range.end - stack > MOST)
        return false;
    own.n = 0;
    without = (struct range){(uintptr_t)unless, (uintptr_t)unless + bytes, false};
    *hash += hash_range(stack & ~(uintptr_t)7, stack_range.end);
    if (with_statics)
        add_statics(hash);
    without = (struct range){0};
    return true;
}

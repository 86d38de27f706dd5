/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages that are in use and differ from a file's are hashed one by one, with their addresses, and the
 * hashes added; a page of zeros counts as one that is not there. Of what does not count, parts of pages
 * too, zeros are hashed in its place. A page that the kernel has not seen written since it was hashed, with
 * the same bytes that do not count, is not hashed again (STATE.md).
 *
 * What does not count, beside what the arena names: the stack below the program's frames; the places of
 * functions that are looked up when they are called first, since it is always the same one that is found;
 * the stack of signal handlers, which is dead while none runs; what the kernel writes into the thread's own
 * memory (rseq).
 */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "arena_link.h"
#include "base/alloc.h"
#include "base/own_memory.h"
#include "definitions.h"
#include "outside/ignored.h"
#include "outside/writable.h"
#include "rewind/mappings.h"
#include "rewind/pages.h"
#include "rewind/rewind.h"

enum {
    PAGE = PROF_PAGE,
    MAPPINGS = 4096,
    PARTS = 2048,
    MODULES = 512,
    REGIONS = 64, /* at once: the kernel takes longer where there is room for more */
    LINK_MAP = 1152,
};

static const uint64_t MOST = (uint64_t)64 << 20;

struct parts {
    struct prof_stretch all[PARTS]; /* sorted: by address, apart */
    unsigned n;
    bool full;
};

static struct {
    struct prof_mapping mappings[MAPPINGS];
    long n_mappings;
    struct parts found, found_last; /* what does not count in any state, as it was found ... */
    struct parts always;            /* ... and sorted */
    struct parts parts;             /* what does not count in this one */
    uint64_t bytes;
} * all;

void (*prof_state_visit)(uint64_t page, const void *content);

const struct prof_mapping *prof_state_mapping(uintptr_t address)
{
    for (long i = 0; i < all->n_mappings; i++)
        if (address >= all->mappings[i].start && address < all->mappings[i].end &&
            prof_mapping_is_own(&all->mappings[i]))
            return &all->mappings[i];
    return NULL;
}

uint64_t prof_state_memory_bytes(void) { return all ? all->bytes : 0; }

/* ---- parts ---- */

static void add_part(struct parts *to, uintptr_t start, uintptr_t end)
{
    if (start >= end)
        return;
    if (to->n == PARTS)
        to->full = true;
    else
        to->all[to->n++] = (struct prof_stretch){start, end};
}

static int by_start(const void *a, const void *b)
{
    const struct prof_stretch *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static void sort_parts(struct parts *p)
{
    unsigned n = 0;
    qsort(p->all, p->n, sizeof *p->all, by_start);
    for (unsigned i = 0; i < p->n; i++) {
        struct prof_stretch next = p->all[i], *last = n > 0 ? &p->all[n - 1] : NULL;
        if (last && next.start <= last->end)
            last->end = next.end > last->end ? next.end : last->end;
        else
            p->all[n++] = next;
    }
    p->n = n;
}

/* The first part that ends above the address. */
static unsigned find_part(const struct parts *p, uintptr_t address)
{
    unsigned low = 0, high = p->n;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (p->all[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Into sorted ones. */
static void insert_part(struct parts *p, uintptr_t start, uintptr_t end)
{
    unsigned from = find_part(p, start), to = from;
    if (start >= end)
        return;
    for (; to < p->n && p->all[to].start < end; to++) {
        start = p->all[to].start < start ? p->all[to].start : start;
        end = p->all[to].end > end ? p->all[to].end : end;
    }
    if (to == from && p->n == PARTS) {
        p->full = true;
        return;
    }
    memmove(&p->all[from + 1], &p->all[to], (p->n - to) * sizeof *p->all);
    p->all[from] = (struct prof_stretch){start, end};
    p->n += 1 - (to - from);
}

/* ---- modules ---- */

/* What is the same while no module is loaded or unloaded. */
static struct {
    unsigned long long loaded, unloaded;
    struct prof_stretch lazy[MODULES];
    unsigned n_lazy;
    const ElfW(Phdr) * variables[MODULES]; /* each thread's own, of MPI's modules and of this one */
    unsigned n_variables;
    bool full;
} modules;

static int note_module(struct dl_phdr_info *info, size_t size, void *context)
{
    uintptr_t start, end;
    (void)size;
    (void)context;
    if (modules.n_lazy == MODULES || modules.n_variables + (unsigned)info->dlpi_phnum > MODULES) {
        modules.full = true;
        return 1;
    }
    if (prof_writable_lazy(info, &start, &end))
        modules.lazy[modules.n_lazy++] = (struct prof_stretch){start, end};
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS && prof_arena_is_mpis((uintptr_t)info->dlpi_phdr))
            modules.variables[modules.n_variables++] = &info->dlpi_phdr[i];
    return 0;
}

static int look_for_modules(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    if (modules.loaded == info->dlpi_adds && modules.unloaded == info->dlpi_subs)
        return 1;
    modules.loaded = info->dlpi_adds;
    modules.unloaded = info->dlpi_subs;
    modules.n_lazy = modules.n_variables = 0;
    modules.full = false;
    dl_iterate_phdr(note_module, NULL);
    return 1;
}

/* They may have got their memory since. Modules come in the same order each time. */
static int add_variables(struct dl_phdr_info *info, size_t size, void *next)
{
    unsigned *i = next;
    (void)size;
    for (; *i < modules.n_variables; ++*i) {
        const ElfW(Phdr) *p = modules.variables[*i];
        if (p < info->dlpi_phdr || p >= info->dlpi_phdr + info->dlpi_phnum)
            return 0;
        uintptr_t at = (uintptr_t)info->dlpi_tls_data;
        if (at)
            add_part(&all->found, at, at + p->p_memsz);
    }
    return 1;
}

static void add_modules(bool anew)
{
    unsigned next = 0;
    modules.loaded = anew ? 0 : modules.loaded;
    dl_iterate_phdr(look_for_modules, NULL);
    for (unsigned i = 0; i < modules.n_lazy; i++)
        add_part(&all->found, modules.lazy[i].start, modules.lazy[i].end);
    dl_iterate_phdr(add_variables, &next);
    all->found.full |= modules.full;
}

/* When a function is looked up the dynamic linker notes in a module's own description which others it
 * needs, and allocates that where MPI allocates, if MPI looks it up. Which modules are there does not
 * depend on where. */
static void insert_linkers_notes(void)
{
    uintptr_t low, high;
    if (!prof_arena_part(0, &low, &high))
        return;
    for (const struct link_map *m = _r_debug.r_map; m; m = m->l_next)
        for (unsigned i = 0; i < LINK_MAP / sizeof(uintptr_t); i++)
            if (((const uintptr_t *)m)[i] - low < high - low)
                insert_part(&all->parts, (uintptr_t)m + i * sizeof(uintptr_t),
                            (uintptr_t)m + (i + 1) * sizeof(uintptr_t));
}

/* ---- what does not count ---- */

extern const ptrdiff_t __rseq_offset __attribute__((weak)); /* since glibc 2.35 */
extern const unsigned __rseq_size __attribute__((weak));

/* All bytes from its first to its last are written. */
static bool is_dense(MPI_Datatype type, MPI_Count *size)
{
    MPI_Count low, extent;
    return PMPI_Type_size_x(type, size) == MPI_SUCCESS &&
           PMPI_Type_get_true_extent_x(type, &low, &extent) == MPI_SUCCESS && low == 0 && extent == *size &&
           PMPI_Type_get_extent_x(type, &low, &extent) == MPI_SUCCESS && low == 0 && extent == *size;
}

static void insert_status(int64_t status)
{
    MPI_Status *s = (MPI_Status *)status;
    if (s != MPI_STATUS_IGNORE)
        insert_part(&all->parts, (uintptr_t)s, (uintptr_t)&s->MPI_ERROR);
}

/* What the call that the rank waits in will write before the program goes on, whatever was there: the status
 * but for its error, and the receive's buffer. Where a message does not fill that, the scheduler knows
 * better (poe/shown.h). */
static void insert_overwritten(void)
{
    const struct prof_told *t = prof_told_current;
    MPI_Count size;
    if (!t)
        return;
    if (t->how->fn == ISP_FN_MPI_Probe)
        insert_status(t->values[3]);
    if (t->how->fn != ISP_FN_MPI_Recv && t->how->fn != ISP_FN_MPI_Recv_c)
        return;
    insert_status(t->values[6]);
    if (t->values[1] > 0 && t->values[0] && is_dense((MPI_Datatype)t->values[2], &size))
        insert_part(&all->parts, (uintptr_t)t->values[0],
                    (uintptr_t)t->values[0] + (uintptr_t)(t->values[1] * size));
}

static bool is_as_last(void)
{
    return all->found.n == all->found_last.n && all->found.full == all->found_last.full &&
           memcmp(all->found.all, all->found_last.all, all->found.n * sizeof *all->found.all) == 0;
}

static void find_always(bool anew)
{
    uintptr_t start, end;
    stack_t signals;
    all->found.n = 0;
    all->found.full = false;
    for (unsigned i = 0; prof_arena_part(i, &start, &end); i++)
        add_part(&all->found, start, end);
    add_part(&all->found, (uintptr_t)&errno, (uintptr_t)&errno + sizeof errno);
    if (&__rseq_offset) {
        start = (uintptr_t)__builtin_thread_pointer() + (uintptr_t)__rseq_offset;
        add_part(&all->found, start, start + 32);
    }
    if (sigaltstack(NULL, &signals) == 0 && !(signals.ss_flags & (SS_DISABLE | SS_ONSTACK)))
        add_part(&all->found, (uintptr_t)signals.ss_sp, (uintptr_t)signals.ss_sp + signals.ss_size);
    add_modules(anew);
    if (!anew && is_as_last())
        return;
    all->found_last = all->found;
    all->always = all->found;
    sort_parts(&all->always);
}

static void find_parts(uintptr_t stack_start, uintptr_t stack, const struct prof_ignored *ignored)
{
    all->parts.n = all->always.n;
    all->parts.full = all->always.full;
    memcpy(all->parts.all, all->always.all, all->always.n * sizeof *all->always.all);
    insert_part(&all->parts, stack_start, stack);
    insert_linkers_notes();
    insert_overwritten();
    for (unsigned i = 0; i < ignored->n; i++)
        insert_part(&all->parts, ignored->ranges[i].start, ignored->ranges[i].end);
}

/* ---- pages ---- */

/* What is known of pages that are watched and have not been written (rewind/rewind.h). */
enum { HASHES = 1 << 15, WITHIN = 2 };

struct known {
    uint64_t page; /* 0: free */
    uint64_t epoch;
    uint16_t parts[WITHIN][2]; /* what of the page did not count; 0, 0: nothing */
    struct prof_hash hash;     /* 0: nothing but zeros */
};

/* Its place in the table; the page is entered, if there is room. NULL: there is none. */
static struct known *known_of(uint64_t page)
{
    struct known *table = prof_rewind_room(HASHES * sizeof *table);
    for (uint32_t i = 0; table && i < 64; i++) {
        struct known *k = &table[(page / PAGE + i) % HASHES];
        if (k->page == page || !k->page) {
            k->page = page;
            return k;
        }
    }
    return NULL;
}

/* Which bytes of the page do not count, from this part on. False: they are more than `known` has room for. */
static bool find_within(uint64_t page, unsigned part, uint16_t within[WITHIN][2])
{
    unsigned n = 0;
    for (; part < all->parts.n && all->parts.all[part].start < page + PAGE; part++) {
        struct prof_stretch p = all->parts.all[part];
        if (n == WITHIN)
            return false;
        within[n][0] = p.start > page ? (uint16_t)(p.start - page) : 0;
        within[n++][1] = p.end < page + PAGE ? (uint16_t)(p.end - page) : PAGE;
    }
    return true;
}

/* A page that is all zeros adds nothing. */
static struct prof_hash hash_whole(uint64_t page, const void *content)
{
    static const char zeros[PAGE];
    if (memcmp(content, zeros, PAGE) == 0)
        return (struct prof_hash){0};
    if (prof_state_visit)
        prof_state_visit(page, content);
    XXH128_hash_t h = XXH3_128bits_withSeed(content, PAGE, page);
    return (struct prof_hash){h.low64, h.high64};
}

static struct prof_hash hash_page(uint64_t page, unsigned part)
{
    char copy[PAGE];
    if (part == all->parts.n || all->parts.all[part].start >= page + PAGE)
        return hash_whole(page, (const void *)page);
    memcpy(copy, (const void *)page, PAGE);
    for (; part < all->parts.n && all->parts.all[part].start < page + PAGE; part++) {
        uint64_t from = all->parts.all[part].start, to = all->parts.all[part].end;
        from = from > page ? from : page;
        to = to < page + PAGE ? to : page + PAGE;
        memset(copy + (from - page), 0, to - from);
    }
    return hash_whole(page, copy);
}

static bool is_none(struct prof_hash h) { return !h.low && !h.high; }

struct adding {
    struct prof_hash sum;
    bool anew; /* nothing that is known is used */
};

/* unwritten: the kernel says so. */
static void add_page(struct adding *a, uint64_t page, unsigned part, bool unwritten)
{
    uint64_t epoch = prof_rewind_epoch();
    uint16_t within[WITHIN][2] = {{0}};
    bool may_be_known = unwritten && epoch && !a->anew && find_within(page, part, within);
    struct known *k = may_be_known ? known_of(page) : NULL;
    struct prof_hash h;
    if (k && k->epoch == epoch && memcmp(k->parts, within, sizeof within) == 0) {
        h = k->hash;
    } else {
        h = hash_page(page, part);
        if (k) {
            k->epoch = epoch;
            k->hash = h;
            memcpy(k->parts, within, sizeof within);
        }
    }
    prof_hash_add(&a->sum, h);
    all->bytes += is_none(h) ? 0 : PAGE;
}

static void add_pages(struct adding *a, uint64_t start, uint64_t end, bool unwritten)
{
    const struct parts *p = &all->parts;
    unsigned part = find_part(p, start);
    for (uint64_t page = start; page < end; page += PAGE) {
        while (part < p->n && p->all[part].end <= page)
            part++;
        if (part < p->n && p->all[part].start <= page && p->all[part].end >= page + PAGE)
            page = (p->all[part].end & ~(uint64_t)(PAGE - 1)) - PAGE;
        else
            add_page(a, page, part, unwritten);
    }
}

static const char *add_range(struct adding *a, uint64_t start, uint64_t end)
{
    struct prof_region used[REGIONS];
    int n = REGIONS;
    while (n == REGIONS && start < end) {
        n = prof_pages_used(start, end, used, REGIONS);
        if (n < 0)
            return "the kernel does not tell which pages are in use";
        for (int i = 0; i < n; i++) {
            if (all->bytes + (used[i].end - used[i].start) > MOST)
                return "it has too much memory";
            add_pages(a, used[i].start, used[i].end, !used[i].written);
            start = used[i].end;
        }
    }
    return NULL;
}

/* Without what belongs to MPI: there the kernel need not look. */
static const char *add_mapping(struct adding *a, const struct prof_mapping *m)
{
    uint64_t at = m->start;
    const char *why = NULL;
    for (unsigned i = find_part(&all->parts, at); !why && at < m->end; i++) {
        bool more = i < all->parts.n && all->parts.all[i].start < m->end;
        uint64_t large = more ? all->parts.all[i].end - all->parts.all[i].start : 0;
        if (more && large < 64 * PAGE)
            continue; /* it is looked at page by page */
        uint64_t stop = more ? (all->parts.all[i].start + PAGE - 1) & ~(uint64_t)(PAGE - 1) : m->end;
        if (stop > at)
            why = add_range(a, at, stop);
        at = more ? all->parts.all[i].end & ~(uint64_t)(PAGE - 1) : m->end;
    }
    return why;
}

/* ---- all of it ---- */

/* Of MPI's transport: a program that has shared memory with a name is refused before (process/forked.c). */
static bool is_segment(const struct prof_mapping *m)
{
    static uint32_t device;
    struct stat s;
    if (!device && stat("/dev/shm", &s) == 0)
        device = major(s.st_dev) << 20 | minor(s.st_dev);
    return m->shared && device && m->device == device;
}

/* isp's own mappings and MPI's segments do not count either, nor how far the stack has grown. */
static const char *add_list(struct prof_hash *h)
{
    for (const struct prof_mapping *m = all->mappings; m < all->mappings + all->n_mappings; m++) {
        bool mpis = prof_own_memory_has(m->start) || is_segment(m);
        if (m->shared && m->protection & PROT_WRITE && !mpis)
            return "it has shared memory of its own";
        if (mpis)
            continue;
        prof_hash_word(h, m->stack ? 0 : m->start);
        prof_hash_word(h, m->end);
        prof_hash_word(h, m->protection | m->shared << 8 | m->stack << 9);
        prof_hash_word(h, m->inode);
        prof_hash_word(h, m->inode ? (uint64_t)m->device << 32 ^ m->offset : 0);
    }
    return NULL;
}

static void add_given(const void *start, size_t size, void *h)
{
    prof_hash_pointer(h, start);
    prof_hash_peeked(h, start, size);
    all->bytes += size;
}

/* What is not marked yet counts, so it matters which is. */
static void add_ignored(struct prof_hash *h, const struct prof_ignored *ignored)
{
    struct prof_hash sum = {0};
    for (unsigned i = 0; i < ignored->n; i++) {
        struct prof_hash one = {0};
        prof_hash_word(&one, ignored->ranges[i].start);
        prof_hash_word(&one, ignored->ranges[i].end);
        prof_hash_add(&sum, one);
    }
    prof_hash_word(h, sum.low);
    prof_hash_word(h, sum.high);
}

static const char *add_all_pages(struct adding *a)
{
    const char *why = NULL;
    all->bytes = 0;
    for (long i = 0; !why && i < all->n_mappings; i++)
        if (prof_mapping_is_own(&all->mappings[i]))
            why = add_mapping(a, &all->mappings[i]);
    return why;
}

static const struct prof_mapping *stack_mapping(uintptr_t stack)
{
    for (long i = 0; i < all->n_mappings; i++)
        if (all->mappings[i].stack && stack >= all->mappings[i].start && stack < all->mappings[i].end)
            return &all->mappings[i];
    return NULL;
}

/* Adds to the sum what pages hold, and to h the rest. anew: nothing is used that is known from earlier
 * states. */
static const char *hash_all(struct prof_hash *h, struct prof_hash *sum, uintptr_t stack,
                            const struct prof_ignored *ignored, bool anew)
{
    struct adding adding = {.anew = anew};
    find_always(anew);
    all->n_mappings =
        prof_mappings_read_without(all->always.all, all->always.n, all->mappings, MAPPINGS, anew);
    if (all->n_mappings < 0)
        return "it has too many mappings";
    const struct prof_mapping *its_stack = stack_mapping(stack);
    if (!its_stack)
        return "it is not on its stack";
    find_parts(its_stack->start, stack, ignored);
    if (all->parts.full)
        return "it has too many modules";
    add_ignored(h, ignored);
    const char *why = add_list(h);
    if (why || (why = add_all_pages(&adding)))
        return why;
    prof_told_each_memory(add_given, h);
    *sum = adding.sum;
    return NULL;
}

static bool are_same(const struct prof_hash *a, const struct prof_hash *b)
{
    return a->low == b->low && a->high == b->high;
}

/* A page whose hash is not what is known of it, or 0. */
static uint64_t find_unlike_page(void)
{
    const struct known *table = prof_rewind_room(HASHES * sizeof *table);
    for (unsigned i = 0; table && i < HASHES; i++) {
        const struct known *k = &table[i];
        if (k->page && k->epoch == prof_rewind_epoch() && prof_state_mapping(k->page)) {
            struct prof_hash h = hash_page(k->page, find_part(&all->parts, k->page));
            if (!are_same(&h, &k->hash))
                return k->page;
        }
    }
    return 0;
}

/* For tests. What is not the same is told as far as it can be found out. */
static void note_check(const char *file, bool same, bool same_list)
{
    char said[128] = "same\n";
    if (!same)
        snprintf(said, sizeof said, "not the same: rank's memory: list of mappings %s, page 0x%llx\n",
                 same_list ? "alike" : "unlike", (unsigned long long)find_unlike_page());
    int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    syscall(SYS_write, fd, said, strlen(said));
    syscall(SYS_close, fd);
}

static const char *look(struct prof_hash *h, struct prof_hash *sum, uintptr_t stack,
                        const struct prof_ignored *ignored)
{
    const char *file = getenv("ISP_CHECK_STATES");
    struct prof_hash h_anew = *h, sum_anew = *sum;
    if (!prof_pages_look() || !prof_mappings_begin())
        return "the kernel does not tell which pages are in use";
    all = all ? all : prof_alloc(1, sizeof *all);
    const char *why = hash_all(h, sum, stack, ignored, prof_state_visit != NULL);
    if (file && *file && !prof_state_visit) {
        bool same = hash_all(&h_anew, &sum_anew, stack, ignored, true) == why;
        bool same_list = same && (why || are_same(h, &h_anew));
        note_check(file, same_list && (why || are_same(sum, &sum_anew)), same_list);
    }
    return why;
}

const char *prof_state_memory(struct prof_hash *h, uintptr_t stack, const struct prof_ignored *ignored,
                              int error)
{
    struct prof_hash sum = {0};
    const char *why = look(h, &sum, stack, ignored);
    prof_hash_word(h, sum.low);
    prof_hash_word(h, sum.high);
    prof_hash_word(h, (uint64_t)(uint32_t)error);
    return why;
}

bool prof_state_memory_sum(uint64_t *value, uintptr_t stack, const struct prof_ignored *ignored)
{
    struct prof_hash rest = {0}, sum = {0};
    if (look(&rest, &sum, stack, ignored))
        return false;
    *value += sum.low + rest.low;
    return true;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pages that are in use and differ from a file's are hashed one by one, with their addresses, and the
 * hashes added; a page of zeros counts as one that is not there. Of what does not count, parts of pages
 * too, zeros are hashed in its place.
 *
 * What does not count, beside what the arena names: the stack below the program's frames; the places of
 * functions that are looked up when they are called first, since it is always the same one that is found;
 * what the kernel writes into the thread's own memory (rseq).
 */
#include "memory.h"

#include <errno.h>
#include <link.h>
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "arena_link.h"
#include "base/alloc.h"
#include "base/own_ids.h"
#include "base/own_memory.h"
#include "definitions.h"
#include "outside/writable.h"
#include "rewind/mappings.h"
#include "rewind/own_descriptor.h"

enum { PAGE = PROF_PAGE, MAPPINGS = 4096, PARTS = 2048, REGIONS = 512, LINK_MAP = 1152 };

static const uint64_t MOST = (uint64_t)64 << 20;

struct part {
    uintptr_t start, end;
};

static struct {
    struct prof_mapping mappings[MAPPINGS];
    long n_mappings;
    struct part parts[PARTS]; /* what does not count, by address, apart */
    unsigned n_parts;
    bool full;
    uint64_t bytes;
    int pagemap;
    pid_t pid; /* whose it is */
} * all;

uint64_t prof_state_memory_bytes(void) { return all ? all->bytes : 0; }

/* ---- what does not count ---- */

static void add_part(uintptr_t start, uintptr_t end)
{
    if (start >= end)
        return;
    if (all->n_parts == PARTS)
        all->full = true;
    else
        all->parts[all->n_parts++] = (struct part){start, end};
}

static int by_start(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static void sort_parts(void)
{
    unsigned n = 0;
    qsort(all->parts, all->n_parts, sizeof *all->parts, by_start);
    for (unsigned i = 0; i < all->n_parts; i++) {
        struct part p = all->parts[i];
        if (n > 0 && p.start <= all->parts[n - 1].end)
            all->parts[n - 1].end = p.end > all->parts[n - 1].end ? p.end : all->parts[n - 1].end;
        else
            all->parts[n++] = p;
    }
    all->n_parts = n;
}

/* The thread's own variables of MPI's modules and of this one. */
static void add_thread_variables(const struct dl_phdr_info *info, const ElfW(Phdr) * p)
{
    uintptr_t at = (uintptr_t)info->dlpi_tls_data;
    if (at && prof_arena_is_mpis((uintptr_t)info->dlpi_phdr))
        add_part(at, at + p->p_memsz);
}

static int add_module(struct dl_phdr_info *info, size_t size, void *context)
{
    uintptr_t start, end;
    (void)context;
    if (prof_writable_lazy(info, &start, &end))
        add_part(start, end);
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS &&
            size >= offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data)
            add_thread_variables(info, &info->dlpi_phdr[i]);
    return 0;
}

/* When a function is looked up the dynamic linker notes in a module's own description which others it
 * needs, and allocates that where MPI allocates, if MPI looks it up. Which modules are there does not
 * depend on where. */
static void add_linkers_notes(void)
{
    uintptr_t low, high;
    if (!prof_arena_part(0, &low, &high))
        return;
    for (const struct link_map *m = _r_debug.r_map; m; m = m->l_next)
        for (unsigned i = 0; i < LINK_MAP / sizeof(uintptr_t); i++)
            if (((const uintptr_t *)m)[i] - low < high - low)
                add_part((uintptr_t)m + i * sizeof(uintptr_t), (uintptr_t)m + (i + 1) * sizeof(uintptr_t));
}

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

static void add_status(int64_t status)
{
    MPI_Status *s = (MPI_Status *)status;
    if (s != MPI_STATUS_IGNORE)
        add_part((uintptr_t)s, (uintptr_t)&s->MPI_ERROR);
}

/* What the call that the rank waits in will write before the program goes on, whatever was there: the status
 * but for its error, and the receive's buffer. Where a message does not fill that, the scheduler knows
 * better (poe/shown.h). */
static void add_overwritten(void)
{
    const struct prof_told *t = prof_told_current;
    MPI_Count size;
    if (t->how->fn == ISP_FN_MPI_Probe)
        add_status(t->values[3]);
    if (t->how->fn != ISP_FN_MPI_Recv && t->how->fn != ISP_FN_MPI_Recv_c)
        return;
    add_status(t->values[6]);
    if (t->values[1] > 0 && t->values[0] && is_dense((MPI_Datatype)t->values[2], &size))
        add_part((uintptr_t)t->values[0], (uintptr_t)t->values[0] + (uintptr_t)(t->values[1] * size));
}

static void find_parts(uintptr_t stack_start, uintptr_t stack)
{
    uintptr_t start, end;
    all->n_parts = 0;
    all->full = false;
    for (unsigned i = 0; prof_arena_part(i, &start, &end); i++)
        add_part(start, end);
    add_part(stack_start, stack);
    add_part((uintptr_t)&errno, (uintptr_t)&errno + sizeof errno);
    if (&__rseq_offset) {
        start = (uintptr_t)__builtin_thread_pointer() + (uintptr_t)__rseq_offset;
        add_part(start, start + 32);
    }
    dl_iterate_phdr(add_module, NULL);
    add_linkers_notes();
    add_overwritten();
    sort_parts();
}

/* The first part that ends above the address. */
static unsigned find_part(uintptr_t address)
{
    unsigned low = 0, high = all->n_parts;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (all->parts[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- pages ---- */

/* A page that is all zeros adds nothing. */
static void add_page(struct prof_hash *sum, uint64_t page, const void *content)
{
    static const char zeros[PAGE];
    if (memcmp(content, zeros, PAGE) == 0)
        return;
    XXH128_hash_t h = XXH3_128bits_withSeed(content, PAGE, page);
    sum->low += h.low64;
    sum->high += h.high64;
    all->bytes += PAGE;
}

static void add_partial(struct prof_hash *sum, uint64_t page, unsigned part)
{
    char copy[PAGE];
    memcpy(copy, (const void *)page, PAGE);
    for (; part < all->n_parts && all->parts[part].start < page + PAGE; part++) {
        uint64_t from = all->parts[part].start, to = all->parts[part].end;
        from = from > page ? from : page;
        to = to < page + PAGE ? to : page + PAGE;
        memset(copy + (from - page), 0, to - from);
    }
    add_page(sum, page, copy);
}

static void add_pages(struct prof_hash *sum, uint64_t start, uint64_t end)
{
    unsigned part = find_part(start);
    for (uint64_t page = start; page < end; page += PAGE) {
        while (part < all->n_parts && all->parts[part].end <= page)
            part++;
        const struct part *p = part < all->n_parts ? &all->parts[part] : NULL;
        if (!p || p->start >= page + PAGE) {
            add_page(sum, page, (const void *)page);
        } else if (p->start <= page && p->end >= page + PAGE) {
            page = (p->end & ~(uint64_t)(PAGE - 1)) - PAGE;
        } else {
            add_partial(sum, page, part);
        }
    }
}

/* linux/fs.h; older headers do not have it. */
struct scan {
    uint64_t size, flags, start, end, walk_end, regions, room, most, inverted, all_of, any_of, returned;
};
struct used {
    uint64_t start, end, kinds;
};
#define PAGEMAP_SCAN _IOWR('f', 16, struct scan)
enum { IS_FILE = 1 << 2, IS_PRESENT = 1 << 3, IS_SWAPPED = 1 << 4 };

static const char *add_range(struct prof_hash *sum, uint64_t start, uint64_t end)
{
    struct used used[REGIONS];
    struct scan s = {.size = sizeof s,
                     .start = start,
                     .end = end,
                     .regions = (uintptr_t)used,
                     .room = REGIONS,
                     .inverted = IS_FILE,
                     .all_of = IS_FILE,
                     .any_of = IS_PRESENT | IS_SWAPPED,
                     .returned = IS_PRESENT};
    while (s.start < end) {
        int n = ioctl(all->pagemap, PAGEMAP_SCAN, &s);
        if (n < 0)
            return "the kernel does not tell which pages are in use";
        for (int i = 0; i < n; i++) {
            if (all->bytes + (used[i].end - used[i].start) > MOST)
                return "it has too much memory";
            add_pages(sum, used[i].start, used[i].end);
        }
        s.start = s.walk_end;
    }
    return NULL;
}

/* Without what belongs to MPI: there the kernel need not look. */
static const char *add_mapping(struct prof_hash *sum, const struct prof_mapping *m)
{
    uint64_t at = m->start;
    const char *why = NULL;
    for (unsigned i = find_part(at); !why && at < m->end; i++) {
        bool more = i < all->n_parts && all->parts[i].start < m->end;
        uint64_t large = more ? all->parts[i].end - all->parts[i].start : 0;
        if (more && large < 64 * PAGE)
            continue; /* it is looked at page by page */
        uint64_t stop = more ? (all->parts[i].start + PAGE - 1) & ~(uint64_t)(PAGE - 1) : m->end;
        if (stop > at)
            why = add_range(sum, at, stop);
        at = more ? all->parts[i].end & ~(uint64_t)(PAGE - 1) : m->end;
    }
    return why;
}

/* ---- all of it ---- */

static bool begin(void)
{
    pid_t pid = prof_own_pid();
    if (!all) {
        all = prof_alloc(1, sizeof *all);
        all->pagemap = -1;
    }
    if (all->pid == pid)
        return true;
    if (!prof_mappings_begin() || !prof_own_descriptor_open(&all->pagemap, "/proc/self/pagemap"))
        return false;
    all->pid = pid;
    return true;
}

static bool is_mpis(const struct prof_mapping *m)
{
    unsigned i = find_part(m->start);
    return i < all->n_parts && all->parts[i].start <= m->start && all->parts[i].end >= m->end;
}

/* Of MPI's transport: a program that has shared memory with a name is refused before (process/forked.c). */
static bool is_segment(const struct prof_mapping *m)
{
    static uint32_t device;
    struct stat s;
    if (!device && stat("/dev/shm", &s) == 0)
        device = major(s.st_dev) << 20 | minor(s.st_dev);
    return m->shared && device && m->device == device;
}

/* MPI's and isp's own mappings do not count, nor how far the stack has grown. */
static const char *add_list(struct prof_hash *h)
{
    for (const struct prof_mapping *m = all->mappings; m < all->mappings + all->n_mappings; m++) {
        bool mpis = is_mpis(m) || prof_own_memory_has(m->start) || is_segment(m);
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

const char *prof_state_memory(struct prof_hash *h, uintptr_t stack, int error)
{
    const char *why = NULL;
    struct prof_hash sum = {0};
    const struct prof_mapping *stack_mapping = NULL;
    if (sysconf(_SC_PAGESIZE) != PAGE || !begin())
        return "the kernel does not tell which pages are in use";
    all->n_mappings = prof_mappings_read(all->mappings, MAPPINGS);
    for (long i = 0; i < all->n_mappings; i++)
        if (all->mappings[i].stack)
            stack_mapping = &all->mappings[i];
    if (all->n_mappings < 0)
        return "it has too many mappings";
    if (!stack_mapping || stack < stack_mapping->start || stack >= stack_mapping->end)
        return "it is not on its stack";
    find_parts(stack_mapping->start, stack);
    if (all->full)
        return "it has too many modules";
    all->bytes = 0;
    prof_told_each_memory(add_given, h);
    if ((why = add_list(h)))
        return why;
    for (long i = 0; !why && i < all->n_mappings; i++)
        if (prof_mapping_is_own(&all->mappings[i]))
            why = add_mapping(&sum, &all->mappings[i]);
    prof_hash_word(h, sum.low);
    prof_hash_word(h, sum.high);
    prof_hash_word(h, (uint64_t)(uint32_t)error);
    return why;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of the C library that give memory, in front of it. What is asked for on behalf of MPI or
 * isp comes from the arena; everything else from where it would come from without this. Memory that is
 * freed is filled with zeros first, so that what a program has had there once does not tell its states
 * apart; but for the first words, in which the C library recognizes what is freed twice.
 */
#undef _FILE_OFFSET_BITS /* both names of each function are needed here */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arena.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

/* The C library's own, under names that nobody stands in front of. */
extern void *__libc_malloc(size_t size), *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size), *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *p);

enum {
    KEPT = 16,
    WIPED = 1 << 20,
    RANGES = 256,
    MAPPED = 2,   /* a bit of a block's size: it is mapped by itself */
    ELSEWHERE = 6 /* ... or it is of another arena */
};

static bool (*inside)(void);
/* The program's own allocator, if it is not the C library's. */
static struct {
    bool is_one;
    void *(*malloc)(size_t), *(*calloc)(size_t, size_t), *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void (*free)(void *);
} other;

/* ---- the program's own allocator ---- */

static void *next_of(const char *name) { return dlsym(RTLD_NEXT, name); }

static void find_other(void)
{
    other.malloc = (__typeof__(other.malloc))next_of("malloc");
    other.calloc = (__typeof__(other.calloc))next_of("calloc");
    other.realloc = (__typeof__(other.realloc))next_of("realloc");
    other.memalign = (__typeof__(other.memalign))next_of("memalign");
    other.free = (__typeof__(other.free))next_of("free");
    other.is_one = other.malloc && other.calloc && other.realloc && other.memalign && other.free;
}

static uintptr_t heap_start;

/* Before the first block is given out, since each is freed by whom it came from. What this itself asks for
 * comes from the arena. */
static bool is_looking(void)
{
    static enum { UNKNOWN, LOOKING, KNOWN } state;
    if (state == UNKNOWN) {
        state = LOOKING;
        heap_start = (uintptr_t)sbrk(0);
        if (isp_arena_is_other_allocator())
            find_other();
        state = KNOWN;
    }
    return state == LOOKING;
}

/* ---- whose it is ---- */

static bool for_program; /* whatever is asked for */

/* Before libisp.so has said how to know that a thread is inside of MPI, and where it is not, only what MPI's
 * modules ask for by themselves is theirs. */
static bool is_mpis(const void *caller)
{
    if (is_looking())
        return true;
    if (other.is_one || for_program)
        return false;
    if (inside && inside())
        return isp_arena_is_mpis(caller);
    return isp_arena_owner_of((uintptr_t)caller - 1) == ISP_ARENA_MPIS;
}

/* ---- blocks ---- */

static void (*watcher)(const void *start, size_t bytes);

EXPORT bool isp_arena_watch(void (*changed)(const void *start, size_t bytes))
{
    if (!other.is_one)
        watcher = changed;
    return !other.is_one;
}

static void note_unmapped(uintptr_t start, size_t size);

/* Blocks of the C library have their size in front. */
static void tell(const void *p)
{
    if (watcher)
        watcher(p, ((const size_t *)p)[-1] & ~(size_t)7);
}

/* The C library maps and unmaps large blocks without a call that could be stood in front of: where MPI had
 * something once there is now something of the program's. */
static void *programs(void *p)
{
    size_t word = p ? ((const size_t *)p)[-1] : 0;
    if (word & MAPPED)
        note_unmapped((uintptr_t)p & ~(uintptr_t)4095, word & ~(size_t)7);
    if (p)
        tell(p);
    return p;
}

static void *plain_malloc(size_t size)
{
    return other.is_one ? other.malloc(size) : programs(__libc_malloc(size));
}

static void *plain_memalign(size_t alignment, size_t size)
{
    return other.is_one ? other.memalign(alignment, size) : programs(__libc_memalign(alignment, size));
}

EXPORT void *malloc(size_t size)
{
    void *p = is_mpis(CALLER) ? isp_arena_take(size, 0) : NULL;
    return p ? p : plain_malloc(size);
}

EXPORT void *calloc(size_t n, size_t size)
{
    size_t bytes;
    void *p = NULL;
    if (is_mpis(CALLER) && !__builtin_mul_overflow(n, size, &bytes) && (p = isp_arena_take(bytes, 0)))
        return memset(p, 0, bytes);
    return other.is_one ? other.calloc(n, size) : programs(__libc_calloc(n, size));
}

/* Only what looks like a block of the main heap: a program may free anything, and what comes of that is the
 * C library's to say. In front of a block is its size with its head, of which the lowest bits say where it
 * is from. */
static void wipe(void *p)
{
    uintptr_t at = (uintptr_t)p, end = (uintptr_t)sbrk(0);
    if (at % 16 != 0 || at < heap_start || at >= end)
        return;
    size_t word = ((const size_t *)p)[-1], size = word & ~(size_t)7;
    if (word & ELSEWHERE || size < 2 * KEPT || size > WIPED || size > end - at)
        return;
    memset((char *)p + KEPT, 0, size - sizeof(size_t) - KEPT);
}

EXPORT void free(void *p)
{
    if (!p)
        return;
    int error = errno;
    if (isp_arena_has(p)) {
        isp_arena_give(p);
    } else if (other.is_one) {
        other.free(p);
    } else {
        if (inside)
            wipe(p);
        if ((uintptr_t)p % 16 == 0)
            tell(p);
        __libc_free(p);
    }
    errno = error;
}

/* What is marked in a block that stays where it is, and what it gets, is as good as new. */
static void *made_longer(void *p, size_t size)
{
    if ((uintptr_t)p % 16 == 0)
        tell(p);
    return programs(__libc_realloc(p, size));
}

/* A block stays where it is, if it can be: on whose behalf it is made longer does not matter. */
EXPORT void *realloc(void *p, size_t size)
{
    if (!p) {
        void *fresh = is_mpis(CALLER) ? isp_arena_take(size, 0) : NULL;
        return fresh ? fresh : plain_malloc(size);
    }
    if (!isp_arena_has(p))
        return other.is_one ? other.realloc(p, size) : made_longer(p, size);
    if (size == 0) {
        isp_arena_give(p);
        return NULL;
    }
    size_t old = isp_arena_size(p);
    if (size <= old && size >= old / 2)
        return p;
    void *moved = isp_arena_take(size, 0);
    if (!moved && !(moved = plain_malloc(size)))
        return NULL;
    memcpy(moved, p, old < size ? old : size);
    isp_arena_give(p);
    return moved;
}

static void *aligned(size_t alignment, size_t size, const void *caller)
{
    void *p = is_mpis(caller) ? isp_arena_take(size, alignment) : NULL;
    return p ? p : plain_memalign(alignment, size);
}

static bool is_power_of_two(size_t n) { return n && !(n & (n - 1)); }

EXPORT void *memalign(size_t alignment, size_t size)
{
    return is_power_of_two(alignment) ? aligned(alignment, size, CALLER) : plain_memalign(alignment, size);
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return is_power_of_two(alignment) ? aligned(alignment, size, CALLER) : plain_memalign(alignment, size);
}

EXPORT int posix_memalign(void **p, size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment) || alignment % sizeof(void *))
        return EINVAL;
    int error = errno;
    void *block = aligned(alignment, size, CALLER);
    errno = error;
    if (!block)
        return ENOMEM;
    *p = block;
    return 0;
}

EXPORT void *valloc(size_t size) { return aligned((size_t)sysconf(_SC_PAGESIZE), size, CALLER); }

EXPORT void *pvalloc(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return aligned(page, (size + page - 1) & ~(page - 1), CALLER);
}

/* ---- mappings ---- */

static struct {
    _Atomic uintptr_t start, end;
} mapped[RANGES];
static atomic_bool is_full;

/* What the program has mapped while MPI began, say by an allocator of its own. */
static struct {
    bool on, full;
    struct {
        uintptr_t start;
        size_t size;
    } all[RANGES];
    unsigned n;
} beginning;

static void note_programs(uintptr_t start, size_t size)
{
    if (!beginning.on)
        return;
    if (beginning.n == RANGES) {
        beginning.full = true;
        return;
    }
    beginning.all[beginning.n].start = start;
    beginning.all[beginning.n++].size = size;
}

static void note_mapped(uintptr_t start, size_t size)
{
    for (unsigned i = 0; i < RANGES; i++) {
        uintptr_t none = 0;
        if (!mapped[i].start && atomic_compare_exchange_strong(&mapped[i].start, &none, start)) {
            mapped[i].end = start + ((size + 4095) & ~(size_t)4095);
            return;
        }
    }
    is_full = true;
}

/* Whoever does it. What is left of a range stays in the list, in one piece or two. */
static void note_unmapped(uintptr_t start, size_t size)
{
    uintptr_t end = start + ((size + 4095) & ~(size_t)4095);
    for (unsigned i = 0; i < RANGES; i++) {
        uintptr_t from = mapped[i].start, to = mapped[i].end;
        if (!from || start >= to || end <= from)
            continue;
        if (start <= from && end >= to) {
            mapped[i].end = 0;
            mapped[i].start = 0;
        } else if (start <= from) {
            mapped[i].start = end;
        } else {
            mapped[i].end = start;
            if (end < to)
                note_mapped(end, to - end);
        }
    }
}

static bool is_noted(uintptr_t at)
{
    for (unsigned i = 0; i < RANGES; i++)
        if (mapped[i].start && at >= mapped[i].start && at < mapped[i].end)
            return true;
    return false;
}

#define MAP(name, type)                                                                      \
    EXPORT void *name(void *at, size_t size, int protection, int flags, int fd, type offset) \
    {                                                                                        \
        static __typeof__(&name) next;                                                       \
        next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name);                     \
        bool theirs = is_mpis(CALLER);                                                       \
        void *p = next(at, size, protection, flags, fd, offset);                             \
        if (p != MAP_FAILED) {                                                               \
            note_unmapped((uintptr_t)p, size);                                               \
            if (theirs)                                                                      \
                note_mapped((uintptr_t)p, size);                                             \
            else                                                                             \
                note_programs((uintptr_t)p, size);                                           \
        }                                                                                    \
        return p;                                                                            \
    }

MAP(mmap, off_t)
MAP(mmap64, off64_t)

EXPORT int munmap(void *at, size_t size)
{
    static __typeof__(&munmap) next;
    next = next ? next : (__typeof__(&munmap))dlsym(RTLD_NEXT, "munmap");
    int rc = next(at, size);
    if (rc == 0)
        note_unmapped((uintptr_t)at, size);
    return rc;
}

EXPORT void *mremap(void *at, size_t size, size_t new_size, int flags, ...)
{
    static __typeof__(&mremap) next;
    va_list rest;
    va_start(rest, flags);
    void *to = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
    va_end(rest);
    next = next ? next : (__typeof__(&mremap))dlsym(RTLD_NEXT, "mremap");
    bool theirs = is_noted((uintptr_t)at);
    void *p = next(at, size, new_size, flags, to);
    if (p != MAP_FAILED) {
        note_unmapped((uintptr_t)at, size);
        note_unmapped((uintptr_t)p, new_size);
        if (theirs)
            note_mapped((uintptr_t)p, new_size);
    }
    return p;
}

/* ---- MPI's threads: their stacks ---- */

struct start {
    void *(*routine)(void *);
    void *argument;
    sem_t has_begun;
};

static void *begin(void *context)
{
    struct start *start = context;
    void *(*routine)(void *) = start->routine, *argument = start->argument;
    pthread_attr_t attributes;
    void *stack = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &stack, &size) == 0)
            note_mapped((uintptr_t)stack, size);
        pthread_attr_destroy(&attributes);
    }
    sem_post(&start->has_begun);
    return routine(argument);
}

/* It waits until the stack is noted: a process that is forked before, for a checkpoint, would take it for
 * the program's ever after. */
EXPORT int pthread_create(pthread_t *restrict handle, const pthread_attr_t *restrict attributes,
                          void *(*routine)(void *), void *restrict argument)
{
    static __typeof__(&pthread_create) next;
    next = next ? next : (__typeof__(&pthread_create))dlsym(RTLD_NEXT, "pthread_create");
    struct start start = {.routine = routine, .argument = argument};
    if (!is_mpis(CALLER) || sem_init(&start.has_begun, 0, 0) != 0)
        return next(handle, attributes, routine, argument);
    int rc = next(handle, attributes, begin, &start);
    while (rc == 0 && sem_wait(&start.has_begun) != 0 && errno == EINTR)
        ;
    sem_destroy(&start.has_begun);
    return rc;
}

/* ---- for libisp.so ---- */

EXPORT bool isp_arena_begin(bool (*is_inside)(void))
{
    /* Where the C library keeps the error of a lookup that failed, if only since one of isp's or MPI's
     * does, the program's own error may be next. */
    for_program = true;
    if (!dlsym(RTLD_DEFAULT, "isp_no_function_has_this_name"))
        dlerror();
    for_program = false;
    inside = is_inside;
    return !other.is_one;
}

EXPORT void isp_arena_beginning(void) { beginning.on = true; }

void isp_arena_not_mpis(uintptr_t start, size_t size) { note_unmapped(start, size); }

/* Not what it has mapped by a function that this stands in front of: that is in the list already. Not the
 * heap either. */
EXPORT void isp_arena_has_begun(const uintptr_t (*fresh)[2], size_t n)
{
    uintptr_t heap_end = (uintptr_t)sbrk(0);
    for (size_t i = 0; i < n && !beginning.full; i++) {
        if (fresh[i][0] < heap_end && fresh[i][1] > heap_start)
            continue;
        note_unmapped(fresh[i][0], fresh[i][1] - fresh[i][0]);
        note_mapped(fresh[i][0], fresh[i][1] - fresh[i][0]);
    }
    for (unsigned i = 0; i < beginning.n; i++)
        note_unmapped(beginning.all[i].start, beginning.all[i].size);
    isp_arena_leave_out_modules();
    beginning.on = false;
}

EXPORT bool isp_arena_part(unsigned i, uintptr_t *start, uintptr_t *end)
{
    if (i == 0)
        return isp_arena_bounds(start, end);
    if (i <= RANGES) {
        *start = mapped[i - 1].start;
        *end = *start ? (uintptr_t)mapped[i - 1].end : 0;
        return true;
    }
    return isp_arena_module_part(i - 1 - RANGES, start, end);
}

EXPORT const char *isp_arena_doubt(void)
{
    if (other.is_one)
        return "it has an allocator of its own";
    return is_full ? "MPI has mapped too much" : isp_arena_modules_doubt();
}

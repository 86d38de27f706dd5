/* SPDX-License-Identifier: BSD-3-Clause */
/* See ignored.h. Marks are few, and in a table without allocation: what frees memory looks at them. */
#include "ignored.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>

#include "arena/arena.h"
#include "base/alloc.h"
#include "base/own_ids.h"
#include "base/peek.h"
#include "base/phase.h"
#include "caller.h"
#include "isp/ignored.h"
#include "link/sites.h"
#include "link/uplink.h"

enum { PAGE = 4096, FRAMES = 64 };
static const size_t MOST_BYTES = (size_t)1 << 40, MOST_STACK = (size_t)64 << 20;

enum owner { OWNER_FRAME, OWNER_MODULE, OWNER_BLOCK };

struct mark {
    uintptr_t start, end;
    enum owner owner;
    struct prof_frame frame;     /* OWNER_FRAME: whose it is ... */
    uintptr_t caller;            /* ... where it returns to ... */
    pthread_t thread;            /* ... and of which thread */
    unsigned long long unloaded; /* OWNER_MODULE: how many modules had been */
};

static struct mark marks[PROF_IGNORED_MOST];
static unsigned n_marks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const void *untold; /* where something was marked before the link was open */

static struct isp_ignored *named; /* by --ignore; addresses are absolute */
static unsigned n_named;
static bool any_local;

/* ---- what there is ---- */

struct looking {
    uintptr_t start, end;
    unsigned long long unloaded;
    bool found;
};

static int look_in(struct dl_phdr_info *info, size_t size, void *context)
{
    struct looking *l = context;
    if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof info->dlpi_tls_data)
        return 1;
    l->unloaded = info->dlpi_subs;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = p->p_type == PT_LOAD && p->p_flags & PF_W ? info->dlpi_addr + p->p_vaddr
                       : p->p_type == PT_TLS                     ? (uintptr_t)info->dlpi_tls_data
                                                                 : 0;
        l->found |= at && l->start >= at && l->end <= at + p->p_memsz;
    }
    return l->found;
}

static bool is_of_module(struct mark *m)
{
    struct looking l = {.start = m->start, .end = m->end};
    dl_iterate_phdr(look_in, &l);
    m->owner = OWNER_MODULE;
    m->unloaded = l.unloaded;
    return l.found;
}

/* Where the outermost one ends is not known. */
static bool is_of_frame(struct mark *m)
{
    struct prof_frame frames[FRAMES];
    unsigned n = prof_caller_frames(prof_caller_place(), frames, FRAMES);
    for (unsigned i = 0; i + 1 < n; i++) {
        if (m->start < frames[i].stack || m->end > frames[i].end)
            continue;
        m->owner = OWNER_FRAME;
        m->frame = frames[i];
        m->caller = frames[i + 1].address;
        m->thread = pthread_self();
        return true;
    }
    return false;
}

static bool is_there(const struct mark *m)
{
    char byte;
    for (uintptr_t at = m->start; at < m->end; at = (at & ~(uintptr_t)(PAGE - 1)) + PAGE)
        if (!prof_peek(&byte, (const void *)at, 1))
            return false;
    return true;
}

/* Of a frame that is gone, or too far out. Nothing is mapped above the first thread's stack, nor close below
 * it. */
static bool is_of_stack(const struct mark *m)
{
    uintptr_t now = (uintptr_t)__builtin_frame_address(0);
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0;
    if (prof_own_tid() == prof_own_pid())
        return m->end > now - MOST_STACK;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return true;
    bool known = pthread_attr_getstack(&attributes, &start, &size) == 0;
    pthread_attr_destroy(&attributes);
    return !known || (m->end > (uintptr_t)start && m->start < (uintptr_t)start + size);
}

static void changed(const void *start, size_t bytes);

static bool is_of_block(struct mark *m)
{
    if (is_of_stack(m))
        return false;
    static __typeof__(&isp_arena_watch) watch;
    static __typeof__(&isp_arena_part) part;
    if (!watch) {
        watch = (__typeof__(watch))dlsym(RTLD_DEFAULT, "isp_arena_watch");
        part = (__typeof__(part))dlsym(RTLD_DEFAULT, "isp_arena_part");
    }
    m->owner = OWNER_BLOCK;
    uintptr_t start, end;
    for (unsigned i = 0; part && part(i, &start, &end); i++)
        if (m->start < end && m->end > start)
            return false;
    return watch && part && is_there(m) && watch(changed);
}

/* ---- marks ---- */

/* Takes the bytes out of the marks; what is left of one in front and behind stays. `owner`: of these marks
 * only; -1: of all. */
static void cut(uintptr_t start, uintptr_t end, int owner)
{
    for (unsigned i = 0; i < n_marks;) {
        struct mark m = marks[i], behind = m;
        if (m.end <= start || m.start >= end || (owner >= 0 && m.owner != (enum owner)owner)) {
            i++;
            continue;
        }
        m.end = start;
        behind.start = end;
        bool front = m.start < m.end, back = behind.start < behind.end;
        if (front)
            marks[i++] = m;
        if (back && front && n_marks < PROF_IGNORED_MOST)
            marks[n_marks++] = behind;
        else if (back && !front)
            marks[i++] = behind;
        else if (!front)
            marks[i] = marks[--n_marks];
    }
}

static bool is_range(const void *start, size_t bytes)
{
    return start && bytes && bytes <= MOST_BYTES && (uintptr_t)start + bytes > (uintptr_t)start;
}

/* The heap has given out or taken back this memory. */
static void changed(const void *start, size_t bytes)
{
    if (n_marks == 0)
        return;
    pthread_mutex_lock(&lock);
    cut((uintptr_t)start, (uintptr_t)start + bytes, OWNER_BLOCK);
    pthread_mutex_unlock(&lock);
}

void prof_ignored_unmapped(const void *start, size_t bytes)
{
    if (is_range(start, bytes))
        changed(start, bytes);
}

static void tell(const void *site)
{
    uint32_t number = prof_site_number(site);
    struct isp_buf *b = prof_link_begin(ISP_MSG_IGNORED);
    isp_put_u32(b, number);
    prof_link_end();
}

void prof_ignored_mark(const void *start, size_t bytes)
{
    struct mark m = {.start = (uintptr_t)start, .end = (uintptr_t)start + bytes};
    if (!is_range(start, bytes) || !(is_of_frame(&m) || is_of_module(&m) || is_of_block(&m)))
        return;
    pthread_mutex_lock(&lock);
    cut(m.start, m.end, -1);
    bool room = n_marks < PROF_IGNORED_MOST / 2;
    if (room)
        marks[n_marks++] = m;
    pthread_mutex_unlock(&lock);
    if (room && prof_link_is_open())
        tell(prof_current.site);
    else if (room)
        untold = prof_current.site;
}

void prof_ignored_unmark(const void *start, size_t bytes)
{
    if (!is_range(start, bytes))
        return;
    pthread_mutex_lock(&lock);
    cut((uintptr_t)start, (uintptr_t)start + bytes, -1);
    pthread_mutex_unlock(&lock);
}

/* ---- names ---- */

/* Where it is in this process; false: its module is not there. */
static bool place(struct isp_ignored *v)
{
    uintptr_t base, thread;
    if (!prof_module_find(v->module, v->module_length, &base, &thread))
        return false;
    v->low += base;
    v->high += base;
    if (v->kind == ISP_IGNORED_ADDRESS)
        v->at += (int64_t)base;
    else if (v->kind == ISP_IGNORED_THREAD)
        v->at += (int64_t)thread;
    any_local |= v->kind != ISP_IGNORED_ADDRESS && v->kind != ISP_IGNORED_THREAD;
    return v->kind != ISP_IGNORED_THREAD || thread;
}

static void take(struct isp_reader *r)
{
    uint32_t n = isp_get_u32(r);
    named = n <= PROF_IGNORED_MOST / 2 ? prof_alloc(n + 1, sizeof *named) : NULL;
    for (uint32_t i = 0; named && i < n && r->ok; i++) {
        isp_get_ignored(r, &named[n_named]);
        n_named += r->ok && place(&named[n_named]);
    }
    if (!named || !r->ok)
        prof_link_broken();
}

void prof_ignored_begin(void)
{
    if (untold)
        tell(untold);
    untold = NULL;
    if (!prof_settings()->ignores)
        return;
    struct isp_buf *b = prof_link_begin(ISP_MSG_MODULES);
    prof_modules_put(b);
    prof_link_end();
    prof_link_flush();
    struct isp_reader r;
    if (prof_link_receive(&r) != ISP_MSG_IGNORE)
        prof_link_broken();
    take(&r);
}

/* ---- what does not count now ---- */

static struct prof_ignored found;

static void add(struct prof_ignored *f, uintptr_t start, uint64_t bytes)
{
    if (f->n < PROF_IGNORED_MOST && start + bytes > start)
        f->ranges[f->n++] = (struct prof_ignored_range){start, start + bytes};
}

static void add_named(struct prof_ignored *f, const struct isp_ignored *v, const struct prof_frame *frames,
                      unsigned n)
{
    if (v->kind == ISP_IGNORED_ADDRESS || v->kind == ISP_IGNORED_THREAD) {
        add(f, (uintptr_t)v->at, v->bytes);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        uintptr_t at = frames[i].address - 1;
        if (at < v->low || at >= v->high)
            continue;
        uintptr_t base = v->kind == ISP_IGNORED_FRAME     ? frames[i].end
                         : v->kind == ISP_IGNORED_POINTER ? frames[i].pointer
                                                          : frames[i].stack;
        uintptr_t start = base + (uintptr_t)v->at;
        if (v->kind == ISP_IGNORED_REGISTER)
            f->registers |= i == 0 ? (uint64_t)1 << v->at : 0;
        else if (start >= frames[i].stack && start + v->bytes <= frames[i].end)
            add(f, start, v->bytes);
    }
}

static bool is_still(const struct mark *m, const struct prof_frame *frames, unsigned n,
                     unsigned long long unloaded)
{
    if (m->owner == OWNER_MODULE)
        return m->unloaded == unloaded;
    if (m->owner == OWNER_BLOCK)
        return true;
    for (unsigned i = 0; i + 1 < n; i++)
        if (frames[i].end == m->frame.end)
            return frames[i].function == m->frame.function && frames[i + 1].address == m->caller;
    return false;
}

/* Of another thread's frames nothing is known here. */
static void add_marks(struct prof_ignored *f, const struct prof_frame *frames, unsigned n,
                      unsigned long long unloaded)
{
    for (unsigned i = 0; i < n_marks;) {
        const struct mark *m = &marks[i];
        bool others = m->owner == OWNER_FRAME && !pthread_equal(m->thread, pthread_self());
        if (!others && !is_still(m, frames, n, unloaded)) {
            marks[i] = marks[--n_marks];
            continue;
        }
        if (!others)
            add(f, m->start, m->end - m->start);
        i++;
    }
}

const struct prof_ignored *prof_ignored_find(const void *site)
{
    found.n = 0;
    found.registers = 0;
    if (n_marks == 0 && n_named == 0)
        return &found;
    struct prof_frame frames[FRAMES];
    unsigned n = n_marks || any_local ? prof_caller_frames(site, frames, FRAMES) : 0;
    for (unsigned i = 0; i < n_named; i++)
        add_named(&found, &named[i], frames, n);
    struct looking l = {.start = 1};
    dl_iterate_phdr(look_in, &l); /* not under the lock: the dynamic linker allocates under its own */
    pthread_mutex_lock(&lock);
    add_marks(&found, frames, n, l.unloaded);
    pthread_mutex_unlock(&lock);
    return &found;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The watched intervals, and what was seen of them: see watch.h. */
#include "watch.h"

#include <execinfo.h>
#include <stdatomic.h>
#include <string.h>
#include <ucontext.h>

#include "base/alloc.h"
#include "base/phase.h"
#include "link/sites.h"
#include "threads/thread.h"
#include "watch_compiled.h"
#include "watch_means.h"
#include "watch_pages.h"
#include "watching.h"

bool prof_watch_changed;
atomic_bool prof_watch_noted;

static struct prof_watch *newest[2]; /* by urgency */
static struct prof_watch *unused;

struct prof_watch *prof_watch_newest(bool urgent) { return newest[urgent]; }

struct prof_watch *prof_watch_begin(const void *low, size_t bytes, unsigned kinds, bool urgent,
                                    prof_watch_seen *seen, void *context)
{
    struct prof_watch *w = unused ? unused : prof_alloc(1, sizeof *w), **head = &newest[urgent];
    if (unused)
        unused = unused->next;
    w->low = (uintptr_t)low;
    w->high = (uintptr_t)low + bytes;
    w->kinds = kinds;
    w->urgent = urgent;
    w->seen = seen;
    w->context = context;
    w->forbidden = false;
    w->pages = PROF_PAGES_UNKNOWN;
    w->begun = w->noted = 0;
    w->previous = NULL;
    w->next = *head;
    if (*head)
        (*head)->previous = w;
    *head = w;
    prof_watch_changed = true;
    return w;
}

bool prof_watch_is_possible(void) { return prof_watch_is_compiled || prof_registers_are_there(); }

void prof_watch_forbid(struct prof_watch *w) { w->forbidden = true; }

static void tell(struct prof_watch *w)
{
    unsigned noted = atomic_exchange(&w->noted, 0);
    for (int i = 0; i < 2; i++)
        if (noted & (PROF_LOAD << i))
            w->seen(w->context, &w->sights[i]);
    w->begun &= ~noted;
}

void prof_watch_end(struct prof_watch *w)
{
    if (!w)
        return;
    if (w->noted)
        tell(w);
    if (w->next)
        w->next->previous = w->previous;
    *(w->previous ? &w->previous->next : &newest[w->urgent]) = w->next;
    w->kinds = 0;
    w->next = unused;
    unused = w;
    prof_watch_changed = true;
}

void prof_watch_tell(void)
{
    atomic_store(&prof_watch_noted, false);
    for (int urgent = 0; urgent < 2; urgent++)
        for (struct prof_watch *w = newest[urgent], *next; w; w = next) {
            next = w->next; /* `seen` may end this one, but no other */
            if (w->noted)
                tell(w);
        }
    prof_watch_changed = true;
}

void prof_watch_note(struct prof_watch *w, enum prof_access kind, uintptr_t address, size_t length,
                     const void *site)
{
    if (prof_depth > 0 || !site || !(w->kinds & kind) || (atomic_fetch_or(&w->begun, kind) & kind))
        return;
    w->sights[kind - PROF_LOAD] =
        (struct prof_sight){kind, address, length, site, prof_thread_self()->number};
    atomic_fetch_or(&w->noted, kind);
    atomic_store(&prof_watch_noted, true);
}

void prof_watch_settle(void)
{
    prof_watch_changed = false;
    prof_watch_compiled_settle();
    prof_registers_arm();
    prof_pages_shut();
}

void prof_watch_open(void)
{
    prof_pages_open();
    prof_watch_changed = true; /* to shut them again */
}

void prof_watch_rest(void)
{
    if (prof_registers_rest())
        prof_watch_changed = true;
}

/* ---- where ---- */

enum { FRAMES = 24 };

static bool begins(const char *name, const char *const *with)
{
    for (; *with; with++)
        if (strncmp(name, *with, strlen(*with)) == 0)
            return true;
    return false;
}

enum origin { OF_PROGRAM, OF_SYSTEM, OF_MPI };

static enum origin origin_of(const void *address)
{
    static const char *const system[] = {"libc.so",     "libc-",     "ld-linux",   "libm.so", "libgcc_s",
                                         "libgfortran", "libstdc++", "libpthread", NULL};
    static const char *const mpi[] = {"libmpi", "libuc", "libfabric", "libisp", NULL};
    const char *path = prof_module_path(address), *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path ? path : "";
    return begins(name, system) ? OF_SYSTEM : begins(name, mpi) ? OF_MPI : OF_PROGRAM;
}

uintptr_t prof_watch_pc(const void *context)
{
#if defined __x86_64__
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#else
    return 0;
#endif
}

const void *prof_watch_place(const void *context)
{
#if defined __x86_64__
    void *frames[FRAMES], *pc = (void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    enum origin origin = origin_of(pc);
    if (origin == OF_PROGRAM)
        return pc;
    int n = backtrace(frames, FRAMES), i = 0;
    while (i < n && frames[i] != pc)
        i++;
    for (; i < n && origin == OF_SYSTEM; i++)
        if ((origin = origin_of(frames[i])) == OF_PROGRAM)
            return frames[i];
#endif
    return NULL;
}

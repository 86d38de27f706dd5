/* SPDX-License-Identifier: BSD-3-Clause */
/* See caller.h. libgcc's unwinder knows the frame; it is found when it is first needed. */
#include "caller.h"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

#include "base/phase.h"
#include "ignored.h"
#include "link/python.h"
#include "link/stacks.h"

enum { GARBAGE = 1 << 14 /* bytes of stack that isp and MPI may have used */ };

static struct {
    __typeof__(_Unwind_Backtrace) *walk;
    __typeof__(_Unwind_GetIP) *address;
    __typeof__(_Unwind_GetCFA) *frame;
    __typeof__(_Unwind_GetGR) *value;
    __typeof__(_Unwind_GetRegionStart) *function;
    bool tried;
} unwind;

/* Numbers, in DWARF, of registers that belong to the caller. */
#if defined __x86_64__
static const int kept[] = {3, 6, 12, 13, 14, 15}, frame_pointer = 6;
#elif defined __aarch64__
static const int kept[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}, frame_pointer = 29;
#else
static const int kept[] = {}, frame_pointer = 0;
#endif

struct walk {
    uintptr_t site;
    struct prof_caller *caller;
    int seen;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data)
{
    struct walk *w = data;
    struct prof_caller *c = w->caller;
    if (++w->seen > 64)
        return _URC_END_OF_STACK;
    if ((uintptr_t)unwind.address(context) != w->site)
        return _URC_NO_REASON;
    c->stack = (uintptr_t)unwind.frame(context);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        uint64_t value = c->ignored->registers >> kept[i] & 1 ? 0 : unwind.value(context, kept[i]);
        c->values[c->n_values++] = value;
        c->registers = (c->registers ^ value) * 0x9e3779b97f4a7c15u;
    }
    return _URC_END_OF_STACK;
}

static bool find_unwinder(void)
{
    static void *libgcc; /* for good */
    if (!unwind.tried) {
        libgcc = dlopen("libgcc_s.so.1", RTLD_NOW);
        unwind.tried = true;
        if (libgcc) {
            unwind.address = (__typeof__(unwind.address))dlsym(libgcc, "_Unwind_GetIP");
            unwind.frame = (__typeof__(unwind.frame))dlsym(libgcc, "_Unwind_GetCFA");
            unwind.value = (__typeof__(unwind.value))dlsym(libgcc, "_Unwind_GetGR");
            unwind.function = (__typeof__(unwind.function))dlsym(libgcc, "_Unwind_GetRegionStart");
            unwind.walk = (__typeof__(unwind.walk))dlsym(libgcc, "_Unwind_Backtrace");
        }
    }
    return unwind.walk && unwind.address && unwind.frame && unwind.value && unwind.function;
}

bool prof_caller_begin(void) { return find_unwinder(); }

const void *prof_caller_place(void)
{
    const struct prof_stack *stack = prof_stack_of(prof_current.site);
    return prof_python_address(stack ? stack->frames[0] : prof_current.site);
}

int prof_caller_register(unsigned k) { return kept[k]; }

bool prof_caller_find(struct prof_caller *c) { return prof_caller_find_at(prof_caller_place(), c); }

bool prof_caller_find_at(const void *address, struct prof_caller *c)
{
    struct walk w = {.site = (uintptr_t)address, .caller = c};
    *c = (struct prof_caller){.ignored = prof_ignored_find(address)};
    if (!find_unwinder())
        return false;
    unwind.walk(step, &w);
    return c->stack != 0;
}

struct frames {
    uintptr_t from;
    struct prof_frame *all;
    unsigned n, room, seen;
};

static _Unwind_Reason_Code step_frames(struct _Unwind_Context *context, void *data)
{
    struct frames *f = data;
    uintptr_t address = (uintptr_t)unwind.address(context);
    if (f->n == f->room || ++f->seen > 128 || address == 0)
        return _URC_END_OF_STACK;
    if (f->n == 0 && address != f->from)
        return _URC_NO_REASON;
    f->all[f->n] = (struct prof_frame){.address = address,
                                       .function = (uintptr_t)unwind.function(context),
                                       .stack = (uintptr_t)unwind.frame(context),
                                       .pointer = (uintptr_t)unwind.value(context, frame_pointer)};
    if (f->n)
        f->all[f->n - 1].end = f->all[f->n].stack;
    f->n++;
    return _URC_NO_REASON;
}

unsigned prof_caller_frames(const void *address, struct prof_frame *frames, unsigned room)
{
    struct frames f = {.from = (uintptr_t)address, .all = frames, .room = room};
    if (find_unwinder())
        unwind.walk(step_frames, &f);
    return f.n;
}

__attribute__((noinline)) void prof_caller_sweep(void)
{
    volatile char garbage[GARBAGE];
    memset((void *)(uintptr_t)garbage, 0, sizeof garbage);
    __asm__ volatile("" : : "r"(garbage) : "memory");
}

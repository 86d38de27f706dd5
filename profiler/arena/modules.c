/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whose a module is: MPI's libraries' and isp's by their names, the C library's and those of compilers,
 * which work for whoever calls them; and everything else is the program's. So what is not known to be MPI's
 * counts as the program's.
 *
 * Who asks for memory: the module that calls. Where that is the C library, and the thread is in a call of
 * MPI, it is who has called that: the stack is unwound to the first module that is MPI's or the program's. A
 * function of the program that MPI calls (an operator, an attribute's copy function) is the program all the
 * same.
 */
#include "arena.h"

#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <unwind.h>

enum { MOST = 512, FRAMES = 64 };

struct module {
    uintptr_t start, end;
    enum isp_arena_owner owner;
    const char *name;
    uintptr_t base;
    const ElfW(Dyn) * dynamic;
    bool for_mpi; /* MPI's libraries need it */
};

static struct list {
    struct module all[MOST];
    unsigned n;
    struct {
        uintptr_t start, end;
    } data[MOST];
    unsigned n_data;
    unsigned long long loaded, unloaded;
    const char *doubt;
    bool again;
} lists[2];
static _Atomic(struct list *) current;
static atomic_flag making = ATOMIC_FLAG_INIT;

static bool begins(const char *name, const char *const words[])
{
    for (; *words; words++)
        if (strncmp(name, *words, strlen(*words)) == 0)
            return true;
    return false;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Those of MPI's that a program may use by itself, too. */
static const char *const helpers[] = {"libuc",      "libpmi",    "libfabric", "libpsm",   "libhwloc",
                                      "libibverbs", "librdmacm", "libnl-",    "libxpmem", "libnuma",
                                      "libmlx",     "libefa",    NULL};
static const char *const mpis[] = {"libmpi", "libisp", NULL};
static const char *const eithers[] = {"libc.so",    "libc-",       "ld-linux",   "ld-",        "libm.so",
                                      "libpthread", "libdl.so",    "libstdc++",  "libgcc_s",   "libgfortran",
                                      "librt",      "libquadmath", "linux-vdso", "linux-gate", NULL};

/* What the dynamic linker has beside what it allocates (how often it has looked up a name) follows from which
 * modules are there. */
static const char *const linkers[] = {"ld-linux", "ld-2", NULL};

static enum isp_arena_owner owner_of_name(const char *name)
{
    if (begins(name, mpis) || begins(name, helpers))
        return ISP_ARENA_MPIS;
    return begins(name, eithers) ? ISP_ARENA_EITHERS : ISP_ARENA_PROGRAMS;
}

/* ---- who needs whom ---- */

/* Calls `see` with the name of each library that the module needs. */
static void each_needed(struct list *l, const struct module *m,
                        void (*see)(struct list *, const struct module *, const char *))
{
    const char *strings = NULL;
    for (const ElfW(Dyn) *d = m->dynamic; d && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_STRTAB)
            strings = (const char *)(d->d_un.d_ptr < m->base ? m->base + d->d_un.d_ptr : d->d_un.d_ptr);
    for (const ElfW(Dyn) *d = m->dynamic; strings && d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED)
            see(l, m, strings + d->d_un.d_val);
}

static void mark_needed(struct list *l, const struct module *by, const char *name)
{
    (void)by;
    for (unsigned i = 0; i < l->n; i++)
        if (!l->all[i].for_mpi && strcmp(l->all[i].name, name) == 0)
            l->all[i].for_mpi = l->again = true;
}

static void doubt_helper(struct list *l, const struct module *by, const char *name)
{
    (void)by;
    if (begins(name, helpers))
        l->doubt = "it uses a library that MPI uses as well";
}

/* A module of the program's that needs one of MPI's helpers keeps what it has there in memory of MPI's. What
 * MPI's libraries need is not the program's. */
static void look_for_helpers(struct list *l)
{
    for (unsigned i = 0; i < l->n; i++)
        l->all[i].for_mpi = l->all[i].owner == ISP_ARENA_MPIS;
    do {
        l->again = false;
        for (unsigned i = 0; i < l->n; i++)
            if (l->all[i].for_mpi)
                each_needed(l, &l->all[i], mark_needed);
    } while (l->again);
    for (unsigned i = 0; i < l->n; i++)
        if (!l->all[i].for_mpi && l->all[i].owner == ISP_ARENA_PROGRAMS)
            each_needed(l, &l->all[i], doubt_helper);
}

struct reading {
    struct list *list;
    bool full;
};

static int visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct reading *r = context;
    struct list *l = r->list;
    uintptr_t start = UINTPTR_MAX, end = 0;
    const char *name = last_part(info->dlpi_name);
    /* without a name: the program itself */
    enum isp_arena_owner owner = *name ? owner_of_name(name) : ISP_ARENA_PROGRAMS;
    const ElfW(Dyn) *dynamic = NULL;
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof info->dlpi_subs) {
        l->loaded = info->dlpi_adds;
        l->unloaded = info->dlpi_subs;
    }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;
        if (l->n_data + 2 > MOST || l->n + 1 > MOST) {
            r->full = true;
            return 1;
        }
        if (p->p_type == PT_LOAD) {
            start = at < start ? at : start;
            end = at + p->p_memsz > end ? at + p->p_memsz : end;
        }
        if (p->p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)at;
        if (owner != ISP_ARENA_MPIS && !begins(name, linkers))
            continue;
        if (p->p_type == PT_LOAD && (owner == ISP_ARENA_MPIS || p->p_flags & PF_W)) {
            l->data[l->n_data].start = owner == ISP_ARENA_MPIS ? at & ~(uintptr_t)4095 : at;
            l->data[l->n_data++].end = (at + p->p_memsz + 4095) & ~(uintptr_t)4095;
        }
    }
    if (start < end)
        l->all[l->n++] = (struct module){start, end, owner, name, info->dlpi_addr, dynamic, false};
    return 0;
}

static void leave_out(const struct list *l)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].owner != ISP_ARENA_MPIS)
            isp_arena_not_mpis(l->all[i].start, l->all[i].end - l->all[i].start);
}

struct counts {
    unsigned long long loaded, unloaded;
};

static int count(struct dl_phdr_info *info, size_t size, void *context)
{
    struct counts *c = context;
    (void)size;
    *c = (struct counts){info->dlpi_adds, info->dlpi_subs};
    return 1;
}

static bool is_fresh(const struct list *l)
{
    struct counts c = {0};
    dl_iterate_phdr(count, &c);
    return l && l->loaded == c.loaded && l->unloaded == c.unloaded;
}

/* NULL: another thread is making it. */
static const struct list *fresh_list(void)
{
    struct list *old = current;
    if (is_fresh(old))
        return old;
    if (atomic_flag_test_and_set(&making))
        return NULL;
    struct list *l = old == &lists[0] ? &lists[1] : &lists[0];
    *l = (struct list){.n = 0};
    struct reading r = {.list = l};
    dl_iterate_phdr(visit, &r);
    look_for_helpers(l);
    if (r.full)
        l->doubt = "it has too many modules";
    leave_out(l);
    current = l;
    atomic_flag_clear(&making);
    return l;
}

void isp_arena_leave_out_modules(void)
{
    const struct list *l = fresh_list();
    if (l)
        leave_out(l);
}

static enum isp_arena_owner look(const struct list *l, uintptr_t address)
{
    for (unsigned i = 0; i < l->n; i++)
        if (address - l->all[i].start < l->all[i].end - l->all[i].start)
            return l->all[i].owner;
    return ISP_ARENA_PROGRAMS;
}

__attribute__((visibility("default"))) enum isp_arena_owner isp_arena_owner_of(uintptr_t address)
{
    const struct list *l = fresh_list();
    return l ? look(l, address) : ISP_ARENA_PROGRAMS;
}

struct walk {
    const struct list *list;
    uintptr_t caller;
    bool begun;
    int frames;
    enum isp_arena_owner owner;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *data)
{
    struct walk *w = data;
    uintptr_t at = (uintptr_t)_Unwind_GetIP(context);
    if (++w->frames > FRAMES)
        return _URC_END_OF_STACK;
    w->begun |= at == w->caller;
    if (!w->begun)
        return _URC_NO_REASON;
    w->owner = look(w->list, at - 1);
    return w->owner == ISP_ARENA_EITHERS ? _URC_NO_REASON : _URC_END_OF_STACK;
}

bool isp_arena_is_mpis(const void *caller)
{
    const struct list *l = fresh_list();
    if (!l)
        return false;
    enum isp_arena_owner owner = look(l, (uintptr_t)caller - 1);
    if (owner != ISP_ARENA_EITHERS)
        return owner == ISP_ARENA_MPIS;
    struct walk w = {.list = l, .caller = (uintptr_t)caller, .owner = ISP_ARENA_PROGRAMS};
    _Unwind_Backtrace(step, &w);
    return w.owner == ISP_ARENA_MPIS;
}

bool isp_arena_module_part(unsigned i, uintptr_t *start, uintptr_t *end)
{
    const struct list *l = i == 0 ? fresh_list() : current; /* they are asked for one after the other */
    if (!l || i >= l->n_data)
        return false;
    *start = l->data[i].start;
    *end = l->data[i].end;
    return true;
}

const char *isp_arena_modules_doubt(void)
{
    const struct list *l = fresh_list();
    return l ? l->doubt : "its modules are not known";
}

/* By the dynamic linker's own list: this is asked while a sanitizer looks up the C library's functions, and
 * until it has them, it crashes in its dl_iterate_phdr. */
bool isp_arena_is_other_allocator(void)
{
    static const char *const names[] = {"libasan",     "libtsan",     "liblsan",     "libhwasan",
                                        "libjemalloc", "libtcmalloc", "libmimalloc", "libtbbmalloc",
                                        "libdmalloc",  "libefence",   "libhoard",    "libmemkind",
                                        "libscalloc",  "libduma",     NULL};
    for (const struct link_map *m = _r_debug.r_map; m; m = m->l_next)
        if (begins(last_part(m->l_name), names))
            return true;
    return false;
}

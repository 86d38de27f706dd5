/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dlsym and dlvsym, for a program that gets MPI's functions by name. Where it would get MPICH's MPI_X or
 * PMPI_X, from whatever handle, it gets what leads to the wrapper. Everything else the dynamic linker
 * answers itself, and sees the caller's own return address, on which RTLD_NEXT and RTLD_DEFAULT depend: so
 * dlsym_front.S asks here first, and then jumps.
 *
 * For names of MPI the caller matters with RTLD_NEXT only: what comes after its module. RTLD_DEFAULT finds
 * them in the global scope, which everybody's search begins with.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "dlsym.h"
#include "entries.h"
#include "symbols.h"

void *prof_dlsym(void *handle, const char *name, const void *caller);

/* The next functions of these names after ours, as a rule the C library's; for dlsym_front.S. */
__typeof__(dlsym) *prof_real_dlsym;
__typeof__(dlvsym) *prof_real_dlvsym;
__typeof__(dlopen) *prof_real_dlopen;
__typeof__(dlmopen) *prof_real_dlmopen;

static struct link_map *module_of(const void *address)
{
    Dl_info info;
    struct link_map *map;
    return address && dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) ? map : NULL;
}

static struct link_map *ours(void)
{
    static struct link_map *map;
    if (!map)
        map = module_of((const void *)module_of);
    return map;
}

/* ---- the real ones ---- */

static void *after_ours(const char *name)
{
    for (const struct link_map *map = ours() ? ours()->l_next : NULL; map; map = map->l_next) {
        void *found = prof_symbol_in(map, name);
        if (found)
            return found;
    }
    abort(); /* whatever called dlsym has it */
}

void prof_dlsym_find(void)
{
    if (prof_real_dlsym)
        return;
    prof_real_dlvsym = (__typeof__(dlvsym) *)after_ours("dlvsym");
    prof_real_dlopen = (__typeof__(dlopen) *)after_ours("dlopen");
    prof_real_dlmopen = (__typeof__(dlmopen) *)after_ours("dlmopen");
    prof_real_dlsym = (__typeof__(dlsym) *)after_ours("dlsym");
}

/* ---- MPI's ---- */

/* Without the C library: see symbols.c. */
static bool is_mpi_name(const char *name)
{
    name += name[0] == 'P';
    return name[0] == 'M' && name[1] == 'P' && name[2] == 'I' && (name[3] == '_' || name[3] == 'X');
}

static void *next(const char *name, const void *caller)
{
    const struct link_map *map = module_of(caller);
    for (map = map ? map->l_next : NULL; map; map = map->l_next) {
        void *found = prof_symbol_in(map, name);
        if (found)
            return found;
    }
    return NULL;
}

/* NULL: the dynamic linker is to answer. */
void *prof_dlsym(void *handle, const char *name, const void *caller)
{
    prof_dlsym_find();
    if (!name || !is_mpi_name(name) || module_of(caller) == ours() || prof_entries_is_front(caller))
        return NULL;
    void *wrapper = prof_entries_wrapper(name);
    if (!wrapper)
        return NULL;
    prof_entries_bind();
    void *found = handle == RTLD_NEXT ? next(name, caller) : prof_real_dlsym(handle, name);
    if (found && prof_entries_is_others(found))
        return prof_entries_front(name);
    return found && prof_entries_is_mpis(found) ? wrapper : found;
}

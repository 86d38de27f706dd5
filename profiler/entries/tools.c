/* SPDX-License-Identifier: BSD-3-Clause */
/* See tools.h. */
#include "tools.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "entries.h"
#include "symbols.h"

enum { MODULES_MAX = 64, KNOWN = 1024 };

static bool is_mpi_name(const char *name)
{
    return name && (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "MPIX_", 5) == 0);
}

static bool defines_functions(const struct link_map *map)
{
    Dl_info info;
    struct link_map *ours;
    bool known = dladdr1((const void *)is_mpi_name, &info, (void **)&ours, RTLD_DL_LINKMAP);
    if (!known || ours == map || prof_entries_is_mpis(map->l_ld))
        return false;
    for (const struct prof_entry *e = prof_entries; e < prof_entries_end; e++)
        if (prof_symbol_in(map, e->name))
            return true;
    return false;
}

/* Threads may look at the same time, and then both find out. */
static bool is_tools(struct link_map *map)
{
    static _Atomic uintptr_t known[MODULES_MAX];
    static atomic_size_t n_known;
    size_t n = atomic_load(&n_known);
    for (size_t i = 0; i < n && i < MODULES_MAX; i++) {
        uintptr_t entry = atomic_load(&known[i]);
        if ((entry & ~(uintptr_t)1) == (uintptr_t)map)
            return entry & 1;
    }
    bool is = defines_functions(map);
    size_t at = atomic_fetch_add(&n_known, 1);
    if (at < MODULES_MAX)
        atomic_store(&known[at], (uintptr_t)map | is);
    return is;
}

unsigned prof_tool_kind(uintptr_t address)
{
    static _Atomic uintptr_t known[KNOWN]; /* an address and the answer, in one word */
    _Atomic uintptr_t *place = &known[address * 0x9e3779b97f4a7c15u >> 54];
    uintptr_t entry = atomic_load_explicit(place, memory_order_relaxed);
    if (entry >> 2 == address)
        return entry & 3;
    Dl_info info;
    struct link_map *map;
    unsigned kind = 0;
    if (dladdr1((const void *)(address - 1), &info, (void **)&map, RTLD_DL_LINKMAP) && map && is_tools(map))
        kind = PROF_TOOL_MODULE | (is_mpi_name(info.dli_sname) ? PROF_TOOL_FUNCTION : 0);
    atomic_store_explicit(place, address << 2 | kind, memory_order_relaxed);
    return kind;
}

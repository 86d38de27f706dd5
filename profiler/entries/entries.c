/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See entries.h. MPICH's functions are what comes after this library (or program) in the dynamic linker's
 * order. If that has a MPI_X of another library's, a tool's, before MPICH's, the program would call the
 * tool: so isp leads it there.
 *
 * MPICH calls some of its PMPI_X through its table of imports. The table is set to MPICH's own functions,
 * since what MPICH does inside a call is not the program's doing.
 */
#include "entries.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/phase.h"
#include "imports.h"
#include "symbols.h"

static uintptr_t low, high; /* of MPI's library */

bool prof_entries_is_mpis(const void *address)
{
    return (uintptr_t)address >= low && (uintptr_t)address < high;
}

static struct prof_entry *find(const char *name)
{
    for (struct prof_entry *e = prof_entries; e < prof_entries_end; e++)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

void *prof_entries_wrapper(const char *name)
{
    const struct prof_entry *e = find(name[0] == 'P' ? name + 1 : name);
    return e ? e->wrapper : NULL;
}

static const struct link_map *front; /* a library with another interface, before this one (adapters/) */

static void *own(const char *name, void *slot, void *unused)
{
    bool second = strncmp(name, "PMPI", 4) == 0, first = front && strncmp(name, "MPI", 3) == 0;
    const struct prof_entry *e = second || first ? find(name + second) : NULL;
    return e ? e->real : NULL;
}

static int find_mpi(struct dl_phdr_info *info, size_t size, void *inside)
{
    struct prof_imports m;
    prof_imports_read(&m, info);
    if ((uintptr_t)inside < m.low || (uintptr_t)inside >= m.high)
        return 0;
    low = m.low;
    high = m.high;
    prof_imports_lead(&m, own, NULL);
    return 1;
}

/* Looked up once: dladdr looks through all symbols of this library. */
static struct link_map *ours(void)
{
    static struct link_map *_Atomic known;
    struct link_map *map = atomic_load_explicit(&known, memory_order_relaxed);
    Dl_info info;
    if (!map && dladdr1((const void *)ours, &info, (void **)&map, RTLD_DL_LINKMAP))
        atomic_store_explicit(&known, map, memory_order_relaxed);
    return map;
}

static bool is_named(const struct link_map *map, const char *name)
{
    const char *slash = strrchr(map->l_name, '/');
    return strncmp(slash ? slash + 1 : map->l_name, name, strlen(name)) == 0;
}

/* Another MPI's library, which its program loads: its functions stay unused (adapters/). From Open MPI 6 on
 * the library with the functions has not the objects. */
static bool is_open_mpi(const struct link_map *map)
{
    return is_named(map, "libmpi.so.40") || prof_symbol_in(map, "ompi_mpi_comm_world");
}

static bool is_standard(const struct link_map *map) { return is_named(map, "libmpi_abi.so"); }

static bool is_other(const struct link_map *map) { return is_open_mpi(map) || is_standard(map); }
static const struct link_map *other; /* if it was loaded before MPI itself */

bool prof_entries_is_others(const void *address)
{
    Dl_info info;
    struct link_map *map;
    bool known = front && dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP);
    return known && map->l_prev && is_other(map); /* the program may have copies of its objects */
}

void *prof_entries_front(const char *name) { return prof_symbol_in(front, name); }

bool prof_entries_is_front(const void *address)
{
    Dl_info info;
    struct link_map *map;
    return front && dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) && map == front;
}

/* The tool's function that the program would call without isp, if there is one: of the modules between ours
 * and MPI's (the front's). */
static void *tools(const struct link_map *mpi, const char *name)
{
    void *found = NULL;
    for (const struct link_map *map = ours()->l_next; !found && map != mpi; map = map->l_next)
        found = map == other ? NULL : prof_symbol_in(map, name);
    return found;
}

/* ---- a front, and tools ---- */

/* A tool has the front's interface: what would call the front is led to it, unless the program itself has the
 * function, which then comes first anyway. */
static void *tool_of(const char *name, void *slot, void *program)
{
    (void)slot;
    bool wanted = strncmp(name, "MPI_", 4) == 0 && find(name) && !prof_symbol_in(program, name);
    return wanted ? tools(other, name) : NULL;
}

static int lead_to_tools(struct dl_phdr_info *info, size_t size, void *program)
{
    (void)size;
    struct prof_imports m;
    prof_imports_read(&m, info);
    const uintptr_t not_led[] = {(uintptr_t)prof_entries_front("MPI_Init"), (uintptr_t)lead_to_tools,
                                 (uintptr_t)prof_symbol_in(other, "MPI_Init")};
    for (size_t i = 0; i < sizeof not_led / sizeof *not_led; i++)
        if (not_led[i] >= m.low && not_led[i] < m.high)
            return 0;
    prof_imports_lead(&m, tool_of, program);
    return 0;
}

static const struct link_map *find_front(void)
{
    const struct link_map *map = ours()->l_prev;
    while (map && !prof_symbol_in(map, "isp_front"))
        map = map->l_prev;
    return map;
}

static const char *advice(void)
{
    if (is_open_mpi(other))
        return "with Open MPI: give isp --mpi=openmpi";
    return strstr(other->l_name, "libmpi_abi.so.1") ? "for MPI's standard ABI: give isp --mpi=abi"
                                                    : "for a draft of MPI's standard ABI: build it anew";
}

/* Whether the program, or a library before MPI's, has a function of MPI of its own. */
static bool is_any_tools(const struct link_map *mpi)
{
    const struct link_map *map = ours();
    while (map->l_prev)
        map = map->l_prev;
    for (; map != mpi; map = map->l_next)
        for (struct prof_entry *e = prof_entries; map != ours() && map != other && e < prof_entries_end; e++)
            if (prof_symbol_in(map, e->name))
                return true;
    return false;
}

static atomic_bool bound, opens;

/* What MPI opens is its own, and what is there when isp begins has been looked at. */
void prof_entries_opens(void)
{
    if (prof_passthrough() || atomic_exchange(&opens, true) || !atomic_load(&bound))
        return;
    for (struct prof_entry *e = prof_entries; e < prof_entries_end; e++)
        if (e->entry == e->direct)
            e->entry = e->wrapper;
}

void prof_entries_bind(void)
{
    if (atomic_load(&bound))
        return;
    const struct link_map *mpi = ours();
    front = find_front();
    while (mpi && (mpi == ours() || !prof_symbol_in(mpi, "PMPI_Init") || is_other(mpi))) {
        if (mpi != ours() && prof_symbol_in(mpi, "PMPI_Init"))
            other = mpi;
        mpi = mpi->l_next;
    }
    for (const struct link_map *map = mpi; map && !front && !other; map = map->l_next) /* of a module */
        other = prof_symbol_in(map, "PMPI_Init") && is_other(map) ? map : NULL;
    if (!mpi) {
        fputs("isp: there is no MPI library in this process\n", stderr);
        abort();
    }
    if (other && !front) { /* isp does not see what a script starts */
        fprintf(stderr, "isp: this program is built %s\n", advice());
        _Exit(1);
    }
    bool any_tools = atomic_load(&opens) || is_any_tools(mpi);
    char name[128] = "P";
    for (struct prof_entry *e = prof_entries; e < prof_entries_end; e++) {
        snprintf(name + 1, sizeof name - 1, "%s", e->name);
        e->real = prof_symbol_in(mpi, name);
        e->entry = front ? NULL : tools(mpi, e->name);
        if (!e->entry)
            e->entry = any_tools ? e->wrapper : e->direct;
    }
    dl_iterate_phdr(find_mpi, prof_symbol_in(mpi, "PMPI_Init"));
    atomic_store(&bound, true);
}

/* Before the program's first call: also that is the tool's. */
__attribute__((constructor)) static void begin(void)
{
    struct link_map *first = ours();
    if (!find_front())
        return;
    prof_entries_bind();
    while (first->l_prev)
        first = first->l_prev;
    if (other)
        dl_iterate_phdr(lead_to_tools, first);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "reserve.h"

#include <event2/event.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { RESERVE_BYTES = 16 << 20, PROBE_BYTES = 16 << 20 };

static struct {
    void *memory; /* never touched: it costs nothing but what a limit counts */
    bool needed;
} reserve;

static void *map(size_t size)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* ---- for libraries ---- */

static void *change(void *old, size_t bytes)
{
    void *p;
    do
        p = realloc(old, bytes);
    while (!p && bytes && sched_reserve_spend());
    return p;
}

static void *take(size_t bytes) { return change(NULL, bytes); }

void sched_reserve_begin(void)
{
    reserve.memory = map(RESERVE_BYTES);
    json_set_alloc_funcs(take, free);
    event_set_mem_functions(take, change, free);
}

bool sched_reserve_could_have(size_t bytes)
{
    void *probe = map(bytes);
    if (probe)
        munmap(probe, bytes);
    return probe != NULL;
}

bool sched_reserve_spend(void)
{
    bool any = reserve.memory != NULL;
    if (any)
        munmap(reserve.memory, RESERVE_BYTES);
    reserve.memory = NULL;
    reserve.needed = true;
    return any;
}

bool sched_reserve_is_needed(void)
{
    if (!reserve.needed && !sched_reserve_could_have(PROBE_BYTES))
        sched_reserve_spend();
    return reserve.needed;
}

bool sched_reserve_was_needed(void) { return reserve.needed; }

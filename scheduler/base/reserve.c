/* SPDX-License-Identifier: BSD-3-Clause */
#include "reserve.h"

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

void sched_reserve_begin(void) { reserve.memory = map(RESERVE_BYTES); }

bool sched_reserve_could_have(size_t bytes)
{
    void *probe = map(bytes);
    if (probe)
        munmap(probe, bytes);
    return probe != NULL;
}

bool sched_reserve_is_needed(void)
{
    if (reserve.needed)
        return true;
    if (sched_reserve_could_have(PROBE_BYTES))
        return false;
    if (reserve.memory)
        munmap(reserve.memory, RESERVE_BYTES);
    reserve.memory = NULL;
    reserve.needed = true;
    return true;
}

bool sched_reserve_was_needed(void) { return reserve.needed; }

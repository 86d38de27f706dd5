/* SPDX-License-Identifier: BSD-3-Clause */
#include "arena_link.h"

#include <dlfcn.h>
#include <stddef.h>

#include "arena/arena.h"
#include "base/phase.h"
#include "threads/thread.h"

static struct {
    __typeof__(&isp_arena_part) part;
    __typeof__(&isp_arena_doubt) doubt;
    __typeof__(&isp_arena_owner_of) owner;
} arena;

static bool is_inside(void) { return prof_depth > 0 || prof_thread_is_mpis(); }

void prof_arena_begin(void)
{
    __typeof__(&isp_arena_begin) begin = (__typeof__(begin))dlsym(RTLD_DEFAULT, "isp_arena_begin");
    if (!begin)
        return;
    arena.part = (__typeof__(arena.part))dlsym(RTLD_DEFAULT, "isp_arena_part");
    arena.doubt = (__typeof__(arena.doubt))dlsym(RTLD_DEFAULT, "isp_arena_doubt");
    arena.owner = (__typeof__(arena.owner))dlsym(RTLD_DEFAULT, "isp_arena_owner_of");
    begin(is_inside);
}

const char *prof_arena_doubt(void)
{
    return arena.part && arena.doubt && arena.owner ? arena.doubt() : "what MPI has allocated is not apart";
}

bool prof_arena_part(unsigned i, uintptr_t *start, uintptr_t *end) { return arena.part(i, start, end); }

bool prof_arena_is_mpis(uintptr_t address) { return arena.owner(address) == ISP_ARENA_MPIS; }

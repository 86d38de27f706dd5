/* SPDX-License-Identifier: BSD-3-Clause */
#include "arena_link.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

#include "arena/arena.h"
#include "base/alloc.h"
#include "base/phase.h"
#include "rewind/mappings.h"
#include "threads/thread.h"

static struct {
    __typeof__(&isp_arena_part) part;
    __typeof__(&isp_arena_doubt) doubt;
    __typeof__(&isp_arena_owner_of) owner;
    __typeof__(&isp_arena_beginning) beginning;
    __typeof__(&isp_arena_has_begun) has_begun;
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
    arena.beginning = (__typeof__(arena.beginning))dlsym(RTLD_DEFAULT, "isp_arena_beginning");
    arena.has_begun = (__typeof__(arena.has_begun))dlsym(RTLD_DEFAULT, "isp_arena_has_begun");
    begin(is_inside);
}

/* ---- what MPI maps while it begins ---- */

enum { MAPPINGS = 4096, FRESH = 1024 };

static struct prof_mapping *before;
static long n_before;

void prof_arena_mpi_begins(void)
{
    if (!arena.beginning || !arena.has_begun)
        return;
    before = prof_alloc(MAPPINGS, sizeof *before);
    n_before = prof_mappings_begin() ? prof_mappings_read(before, MAPPINGS) : -1;
    arena.beginning();
}

struct fresh {
    uintptr_t all[FRESH][2];
    size_t n;
};

static void add_fresh(struct fresh *f, uintptr_t start, uintptr_t end)
{
    if (start < end && f->n < FRESH) {
        f->all[f->n][0] = start;
        f->all[f->n++][1] = end;
    }
}

/* Of the mapping, what was not there before. */
static void find_fresh(struct fresh *f, const struct prof_mapping *m)
{
    uintptr_t at = m->start;
    for (long i = 0; i < n_before && before[i].start < m->end; i++) {
        if (before[i].end <= at)
            continue;
        add_fresh(f, at, before[i].start);
        at = before[i].end;
    }
    add_fresh(f, at, m->end);
}

void prof_arena_mpi_has_begun(void)
{
    if (!before)
        return;
    struct prof_mapping *now = prof_alloc(MAPPINGS, sizeof *now);
    struct fresh *fresh = prof_alloc(1, sizeof *fresh);
    long n = prof_mappings_read(now, MAPPINGS);
    for (long i = 0; n_before >= 0 && i < n; i++)
        if (prof_mapping_is_own(&now[i]) && !now[i].inode && !now[i].stack)
            find_fresh(fresh, &now[i]);
    arena.has_begun((const uintptr_t(*)[2])fresh->all, fresh->n);
    free(fresh);
    free(now);
    free(before);
    before = NULL;
}

/* ---- whose it is ---- */

const char *prof_arena_doubt(void)
{
    return arena.part && arena.doubt && arena.owner ? arena.doubt() : "what MPI has allocated is not apart";
}

bool prof_arena_part(unsigned i, uintptr_t *start, uintptr_t *end) { return arena.part(i, start, end); }

bool prof_arena_is_mpis(uintptr_t address) { return arena.owner(address) == ISP_ARENA_MPIS; }

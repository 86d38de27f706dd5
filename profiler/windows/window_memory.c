/* SPDX-License-Identifier: BSD-3-Clause */
/* See window_memory.h. */
#include "window_memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/peek.h"
#include "engine/errors.h"
#include "engine/prof.h"
#include "epoch_rules.h"
#include "isp/access.h"
#include "kept/kept.h"
#include "link/sites.h"
#include "link/uplink.h"
#include "outside/writable.h"
#include "repeats.h"
#include "rma.h"
#include "threads/thread.h"
#include "types/types.h"
#include "watch/watch.h"
#include "watch/watch_compiled.h"
#include "windows.h"

enum {
    AREA_BYTES = 64 << 10, /* of which a copy is kept */
    ALL_BYTES = 1 << 20,
    PIECES = 4, /* watched one by one: the first elements; there are four debug registers */
    TOLD = 8,
};

struct prof_window_area {
    struct prof_win *win;
    char *base;
    size_t size;
    char *copy;   /* as it was when the last call ended; NULL: too large */
    char *now;    /* room for as much */
    size_t piece; /* bytes of one element */
    struct prof_watch *watches[PIECES];
    struct prof_run told[TOLD]; /* stores that were seen since */
    unsigned n_told;
    struct prof_window_area *next;      /* of its window */
    struct prof_window_area *later;     /* of all that have a copy */
    struct prof_window_area *following; /* of all */
};

static struct prof_window_area *copied, *areas;
static size_t copied_bytes;
static struct isp_access_run *runs; /* room for ISP_ACCESS_RUNS_MAX */

/* ---- telling ---- */

static void put(const struct isp_access *a);

/* Of a rank with several threads nothing is told any more: their accesses come in no order that is known. */
static bool is_silent(void)
{
    static atomic_bool silent;
    if (silent || !prof_threads_own_order || !prof_threads_several())
        return silent;
    if (!atomic_exchange(&silent, true))
        put(&(struct isp_access){.kind = ISP_ACCESS_THREADS});
    return true;
}

bool prof_window_is_untold(void) { return is_silent(); }

static void put(const struct isp_access *a)
{
    static __thread struct isp_buf room;
    room.size = 0;
    isp_put_access(&room, a);
    prof_repeats_tell(&room);
}

static bool see_run(void *context, struct prof_run run)
{
    struct isp_access *a = context;
    struct isp_access_run *last = a->n ? &runs[a->n - 1] : NULL;
    if (last && last->at + last->length == run.at) {
        last->length += run.length;
        return true;
    }
    if (a->n == ISP_ACCESS_RUNS_MAX)
        return false;
    runs[a->n++] = (struct isp_access_run){run.at, run.length};
    return true;
}

static void prepare(struct isp_access *a, const struct prof_win *w, int rank)
{
    if (!runs)
        runs = prof_alloc(ISP_ACCESS_RUNS_MAX, sizeof *runs);
    a->fn = (uint16_t)prof_current.fn;
    a->site = prof_site_number(prof_current.site); /* may put a frame of its own */
    a->window = w->number;
    a->target = rank == PROF_ALL_RANKS ? ISP_ANY_SOURCE : w->world[rank];
    a->runs = runs;
}

static struct isp_call sign(MPI_Datatype datatype, MPI_Count count)
{
    struct isp_call call = {0};
    struct prof_type *entry;
    MPI_Count size;
    if (prof_type_find(datatype, &size, &entry))
        prof_type_sign(&call, datatype, entry, count);
    return call;
}

/* The first access to another rank's memory that is not told: of the rank, for the verdict. */
static void tell_untold(const struct prof_win *w, int target)
{
    static atomic_bool told;
    if (target == w->rank || atomic_exchange(&told, true))
        return;
    struct isp_access access = {.kind = ISP_ACCESS_THREADS};
    prepare(&access, w, target);
    put(&access);
}

void prof_window_tell(struct prof_win *w, const struct prof_rma *a, const struct prof_region *region)
{
    w->memory.accessed |= a->target == w->rank;
    if (is_silent()) {
        tell_untold(w, a->target);
        return;
    }
    bool takes = a->result_type;
    struct isp_call mine =
        takes ? sign(a->result_type, a->result_count) : sign(a->origin_type, a->origin_count);
    struct isp_call theirs = sign(a->target_type, a->target_count);
    struct isp_access access = {.kind = (uint8_t)a->kind,
                                .epoch = (uint8_t)prof_epochs_kind(w, a->target),
                                .no_op = a->op == MPI_NO_OP,
                                .op = a->op ? prof_redop_number(a->op) : 0,
                                .type = mine.type,
                                .count = mine.count,
                                .target_type = theirs.type,
                                .target_count = theirs.count,
                                .base = w->memory.parts[a->target].base};
    prepare(&access, w, a->target);
    prof_region_runs(region, see_run, &access);
    put(&access);
}

void prof_window_tell_flush(const struct prof_win *w, int rank, bool local)
{
    if (is_silent())
        return;
    struct isp_access access = {.kind = local ? ISP_ACCESS_FLUSH_LOCAL : ISP_ACCESS_FLUSH};
    prepare(&access, w, rank);
    put(&access);
}

void prof_window_tell_unchanged(const struct prof_win *w)
{
    if (is_silent())
        return;
    struct isp_access access = {.kind = ISP_ACCESS_UNCHANGED};
    prepare(&access, w, w->rank);
    put(&access);
}

/* ---- loads and stores ---- */

void prof_window_own_lock(struct prof_win *w) { w->memory.accessed = false; }

/* All that the window has here is watched. */
static bool sees_loads(const struct prof_win *w)
{
    const struct prof_window_area *area = w->memory.areas;
    bool watches = prof_settings()->memory != ISP_MEMORY_OFF && prof_watch_is_possible();
    return watches && area && !area->next && area->size <= PIECES * area->piece;
}

/* Who locks its own memory, and does not access it by MPI, loads or stores there. */
void prof_window_own_unlock(struct prof_win *w)
{
    if (is_silent() || (w->memory.accessed && sees_loads(w)))
        return;
    struct isp_access access = {.kind = ISP_ACCESS_UNSEEN};
    prepare(&access, w, w->rank);
    put(&access);
}

/* MPI_Win_sync is the call behind it, or, of a load, the one before it: the first look of a rank that polls
 * comes before. */
static bool is_synced(const struct prof_win *w, enum isp_access_kind kind)
{
    bool now = prof_current.fn == ISP_FN_MPI_Win_sync;
    return prof_epochs_kind(w, w->rank) >= PROF_EPOCH_SHARED &&
           (now || (kind == ISP_ACCESS_LOAD && w->synced));
}

static void begin_own(struct isp_access *a, const struct prof_win *w, enum isp_access_kind kind)
{
    *a = (struct isp_access){.kind = (uint8_t)kind,
                             .epoch = (uint8_t)prof_epochs_kind(w, w->rank),
                             .synced = is_synced(w, kind),
                             .base = w->memory.parts[w->rank].base};
    prepare(a, w, w->rank);
}

/* False: the program has given the memory back before it frees the window. */
static bool read_area(const struct prof_window_area *area, char *into)
{
    return prof_peek(into, area->base, area->size);
}

/* Those that differ from the copy: what others put there, in a call of MPI's, looks like a store to the means
 * of watching. */
static void add_changes(struct isp_access *a, const struct prof_window_area *area, uintptr_t at,
                        size_t length)
{
    size_t from = at - (uintptr_t)area->base;
    if (!area->copy || !read_area(area, area->now))
        return;
    for (size_t i = from; i < from + length; i++)
        if (area->now[i] != area->copy[i])
            see_run(a, (struct prof_run){(uintptr_t)area->base + i, 1});
}

static void see(void *context, const struct prof_sight *sight)
{
    struct prof_window_area *area = context;
    uintptr_t at = sight->address, base = (uintptr_t)area->base;
    if (is_silent() || at < base || at >= base + area->size)
        return;
    size_t to_end = base + area->size - at, length = sight->length < to_end ? sight->length : to_end;
    struct isp_access a;
    begin_own(&a, area->win, sight->kind == PROF_LOAD ? ISP_ACCESS_LOAD : ISP_ACCESS_STORE);
    a.fn = ISP_FN_NONE;
    a.site = prof_site_number(sight->site);
    if (sight->kind == PROF_STORE)
        add_changes(&a, area, at, length);
    if (a.n == 0) {
        a.kind = ISP_ACCESS_LOAD;
        a.synced = is_synced(area->win, ISP_ACCESS_LOAD);
        see_run(&a, (struct prof_run){at, length});
    } else if (area->n_told < TOLD) {
        area->told[area->n_told++] = (struct prof_run){at, length};
    }
    put(&a);
}

static bool is_told(const struct prof_window_area *area, uintptr_t at)
{
    for (unsigned i = 0; i < area->n_told; i++)
        if (at >= area->told[i].at && at < area->told[i].at + area->told[i].length)
            return true;
    return false;
}

static void forget_copy(struct prof_window_area *area)
{
    struct prof_window_area **other = &copied;
    while (*other != area)
        other = &(*other)->later;
    *other = area->later;
    copied_bytes -= area->size;
    prof_engine_looks = copied;
    free(area->copy);
    free(area->now);
    area->copy = area->now = NULL;
}

static void compare(struct prof_window_area *area)
{
    if (!read_area(area, area->now)) {
        forget_copy(area);
        return;
    }
    if (memcmp(area->now, area->copy, area->size) == 0)
        return;
    struct isp_access a;
    begin_own(&a, area->win, ISP_ACCESS_STORE);
    for (size_t i = 0; i < area->size; i++)
        if (area->now[i] != area->copy[i] && !is_told(area, (uintptr_t)area->base + i) &&
            !see_run(&a, (struct prof_run){(uintptr_t)area->base + i, 1}))
            break;
    if (a.n)
        put(&a);
}

void prof_window_memory_look(void)
{
    for (struct prof_window_area *area = copied, *later; area && !is_silent(); area = later) {
        later = area->later;
        compare(area);
    }
}

void prof_window_memory_keep(void)
{
    if (is_silent()) /* several threads may be here at once (rma.c) */
        return;
    for (struct prof_window_area *area = copied, *later; area; area = later) {
        later = area->later;
        if (!read_area(area, area->copy)) {
            forget_copy(area);
            continue;
        }
        area->n_told = 0;
        area->win->synced = prof_current.fn == ISP_FN_MPI_Win_sync;
    }
}

/* ---- buffers of calls ---- */

bool prof_window_buffers_any(void) { return areas; }

static void tell_done(uint64_t number)
{
    if (is_silent())
        return;
    struct isp_access a = {.kind = ISP_ACCESS_DONE, .target = ISP_ANY_SOURCE, .buffer = number};
    put(&a);
}

static bool begin_buffer(const struct prof_window_area *area, const struct prof_region *region, bool written,
                         uint64_t number)
{
    uintptr_t low = (uintptr_t)area->base, high = low + area->size;
    struct isp_access a;
    if (region->low >= high || region->high <= low)
        return false;
    begin_own(&a, area->win, written ? ISP_ACCESS_TAKE : ISP_ACCESS_GIVE);
    a.synced = false;
    a.buffer = number;
    prof_region_runs_within(region, low, high, see_run, &a);
    if (a.n)
        put(&a);
    return a.n;
}

/* What a call has sent when it returns it has read when the message arrives: nothing else is sure to be
 * later. */
bool prof_window_buffers_begin(const struct prof_region *region, bool written, uint64_t number)
{
    bool any = false;
    if (is_silent())
        return false;
    for (const struct prof_window_area *area = areas; area; area = area->following)
        any |= begin_buffer(area, region, written, number);
    if (any && !number && !written)
        tell_done(0);
    prof_engine_returns |= any && !number && written;
    return any;
}

void prof_window_buffers_done(uint64_t number) { tell_done(number); }

void prof_window_buffers_return(void)
{
    prof_engine_returns = false;
    tell_done(0);
}

/* ---- areas ---- */

static void watch(struct prof_window_area *area)
{
    if (prof_settings()->memory == ISP_MEMORY_OFF)
        return;
    if (prof_watch_is_compiled) {
        area->watches[0] = prof_watch_begin(area->base, area->size, PROF_LOAD | PROF_STORE, false, see, area);
        return;
    }
    for (size_t i = 0; i < PIECES && (i + 1) * area->piece <= area->size; i++)
        area->watches[i] = prof_watch_begin(area->base + i * area->piece, area->piece, PROF_LOAD | PROF_STORE,
                                            false, see, area);
}

static void add_area(struct prof_win *w, void *base, size_t size)
{
    if (size == 0 || !base)
        return;
    struct prof_window_area *area = prof_alloc(1, sizeof *area);
    *area = (struct prof_window_area){.win = w, .base = base, .size = size, .next = w->memory.areas};
    w->memory.areas = area;
    area->following = areas;
    areas = area;
    prof_writable_leave_out(base, size);
    int64_t unit = w->memory.parts[w->rank].disp_unit;
    area->piece = unit == 2 || unit == 4 || unit == 8 ? (size_t)unit : 1;
    watch(area);
    if (size > AREA_BYTES || copied_bytes + size > ALL_BYTES)
        return;
    area->copy = prof_alloc(size, 1);
    area->now = prof_alloc(size, 1);
    memcpy(area->copy, base, size);
    copied_bytes += size;
    area->later = copied;
    copied = area;
    prof_engine_looks = true;
}

static void remove_area(struct prof_window_area **at)
{
    struct prof_window_area *area = *at;
    *at = area->next;
    struct prof_window_area **other = &areas;
    while (*other != area)
        other = &(*other)->following;
    *other = area->following;
    prof_writable_take_back(area->base, area->size);
    for (int i = 0; i < PIECES; i++)
        prof_watch_end(area->watches[i]);
    if (area->copy)
        forget_copy(area);
    free(area);
}

void prof_window_memory_attach(struct prof_win *w, void *base, MPI_Aint size)
{
    if (w->memory.dynamic && size > 0)
        add_area(w, base, (size_t)size);
}

void prof_window_memory_detach(struct prof_win *w, const void *base)
{
    for (struct prof_window_area **at = &w->memory.areas; *at; at = &(*at)->next)
        if ((*at)->base == base) {
            remove_area(at);
            return;
        }
}

static int flavor_of(MPI_Win win)
{
    int *flavor, flag = 0;
    PMPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
    return flag ? *flavor : 0;
}

static struct prof_window_part own_part(MPI_Win win)
{
    struct prof_window_part part = {.disp_unit = 1};
    void *base;
    MPI_Aint *size;
    int *unit, flag;
    PMPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    part.base = flag ? (uint64_t)(uintptr_t)base : 0;
    PMPI_Win_get_attr(win, MPI_WIN_SIZE, &size, &flag);
    part.size = flag ? (uint64_t)*size : 0;
    PMPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, &unit, &flag);
    part.disp_unit = flag ? *unit : 1;
    return part;
}

void prof_window_memory_begin(struct prof_win *w, MPI_Comm comm)
{
    int flavor = flavor_of(w->handle);
    struct prof_window_part mine = own_part(w->handle);
    w->memory.dynamic = flavor == MPI_WIN_FLAVOR_DYNAMIC;
    w->memory.parts = prof_alloc((size_t)w->n, sizeof mine);
    if (PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, w->memory.parts, sizeof mine, MPI_BYTE, comm) !=
        MPI_SUCCESS) {
        free(w->memory.parts);
        w->memory.parts = NULL;
        return;
    }
    if (!w->shared && (flavor == MPI_WIN_FLAVOR_CREATE || flavor == MPI_WIN_FLAVOR_ALLOCATE))
        add_area(w, (void *)(uintptr_t)mine.base, mine.size);
}

void prof_window_memory_end(struct prof_win *w)
{
    while (w->memory.areas)
        remove_area(&w->memory.areas);
    free(w->memory.parts);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See map.h. */
#include "map.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/errors_quiet.h"
#include "isp/map.h"
#include "types.h"

enum {
    EXTENT_MOST = 64 << 20, /* of a type that is packed */
    ROWS_MOST = 1 << 14,    /* of one type */
    DIGITS = 4,             /* bytes of a place within such an extent */
};

static struct {
    uint32_t *words;
    uint32_t n, room;
    bool unknown;
} map;

/* ---- the rows of a type ---- */

struct rows {
    struct isp_map_row *all;
    uint32_t n;
    bool too_many;
};

/* Runs of one length at one stride are a row. */
static void add_run(struct rows *to, int64_t offset, uint64_t length)
{
    struct isp_map_row *last = to->n ? &to->all[to->n - 1] : NULL;
    if (last && last->length == length && last->n == 1)
        last->stride = offset - last->offset;
    if (last && last->length == length && offset == last->offset + (int64_t)last->n * last->stride) {
        last->n++;
        return;
    }
    if (to->n == ROWS_MOST) {
        to->too_many = true;
        return;
    }
    if ((to->n & (to->n - 1)) == 0)
        to->all = prof_grow(to->all, to->n ? 2 * to->n : 1, sizeof *to->all);
    to->all[to->n++] = (struct isp_map_row){.offset = offset, .length = length, .n = 1};
}

static void add_runs(struct rows *to, const int32_t *places, size_t size, int64_t low)
{
    for (size_t from = 0, k = 1; k <= size && !to->too_many; k++)
        if (k == size || places[k] != places[k - 1] + 1) {
            add_run(to, low + places[from], k - from);
            from = k;
        }
}

/* One byte of each place at a time: memory is filled with it, and packed. False: MPI cannot. */
static bool pack_digit(MPI_Datatype type, char *memory, size_t extent, int64_t low, unsigned char *packed,
                       size_t size, int digit)
{
    MPI_Count position = 0;
    for (size_t i = 0; i < extent; i++)
        memory[i] = (char)(i >> 8 * digit);
    const void *at = (const void *)((uintptr_t)memory - (uintptr_t)low);
    return PMPI_Pack_c(at, 1, type, packed, (MPI_Count)size, &position, MPI_COMM_SELF) == MPI_SUCCESS &&
           position == (MPI_Count)size;
}

static bool find_places(MPI_Datatype type, size_t extent, int64_t low, int32_t *places, size_t size)
{
    char *memory = prof_alloc(extent, 1);
    unsigned char *packed = prof_alloc(size, 1);
    bool ok = true;
    for (int digit = 0; digit < DIGITS && ok; digit++) {
        ok = digit > 0 && extent >> 8 * digit == 0
                 ? memset(packed, 0, size) != NULL
                 : pack_digit(type, memory, extent, low, packed, size, digit);
        for (size_t k = 0; k < size && ok; k++)
            places[k] |= packed[k] << 8 * digit;
    }
    free(memory);
    free(packed);
    return ok;
}

static bool take_apart(struct rows *to, MPI_Datatype type, MPI_Count size)
{
    MPI_Count low = 0, extent = 0;
    prof_errors_quiet(true);
    bool ok = PMPI_Type_get_true_extent_c(type, &low, &extent) == MPI_SUCCESS && extent <= EXTENT_MOST &&
              size <= EXTENT_MOST;
    if (ok) {
        int32_t *places = prof_alloc((size_t)size, sizeof *places);
        ok = find_places(type, (size_t)extent, low, places, (size_t)size);
        if (ok)
            add_runs(to, places, (size_t)size, low);
        free(places);
    }
    prof_errors_quiet(false);
    return ok && !to->too_many;
}

/* The entry keeps them. */
static bool rows_of(struct prof_type *entry, MPI_Datatype type, MPI_Count size, struct rows *rows)
{
    *rows = (struct rows){0};
    if (size == 0)
        return true;
    if (!entry) {
        add_run(rows, 0, (uint64_t)size);
        return true;
    }
    if (!entry->rows_looked_for) {
        entry->rows_looked_for = true;
        if (take_apart(rows, type, size)) {
            entry->rows = rows->all;
            entry->n_rows = rows->n;
        } else {
            free(rows->all);
        }
    }
    *rows = (struct rows){.all = entry->rows, .n = entry->n_rows};
    return entry->rows != NULL;
}

/* ---- the map of a call ---- */

void prof_map_begin(void)
{
    map.n = 0;
    map.unknown = false;
}

static uint32_t *take_words(uint32_t n)
{
    if (map.n + n > ISP_MAP_MOST)
        map.unknown = true;
    if (map.unknown)
        return NULL;
    if (map.n + n > map.room) {
        map.room = 2 * (map.n + n);
        map.words = prof_grow(map.words, map.room, sizeof *map.words);
    }
    map.n += n;
    return map.words + map.n - n;
}

void prof_map_add(bool written, int32_t peer, const void *at, MPI_Count count, MPI_Datatype type)
{
    MPI_Count size, low, extent = 0;
    struct prof_type *entry;
    struct rows rows;
    if (!prof_type_find(type, &size, &entry) || !rows_of(entry, type, size, &rows)) {
        map.unknown = true;
        return;
    }
    PMPI_Type_get_extent_c(type, &low, &extent);
    struct isp_map_piece piece = {.written = written,
                                  .peer = peer,
                                  .address = (uintptr_t)at,
                                  .count = (uint64_t)count,
                                  .extent = extent,
                                  .n = rows.n};
    uint32_t *words = take_words(ISP_MAP_PIECE_WORDS + rows.n * ISP_MAP_ROW_WORDS);
    if (words)
        isp_map_put_piece(words, &piece);
    for (uint32_t i = 0; words && i < rows.n; i++)
        isp_map_put_row(words + ISP_MAP_PIECE_WORDS + (size_t)i * ISP_MAP_ROW_WORDS, &rows.all[i]);
    if (!entry)
        free(rows.all);
}

void prof_map_attach(struct isp_call *call)
{
    if (map.unknown || map.n == 0)
        return;
    call->flags |= ISP_F_MAP;
    call->map = map.words;
    call->n_map = map.n;
}

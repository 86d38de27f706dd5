/* SPDX-License-Identifier: BSD-3-Clause */
#include "before.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { MAX_RANKS = 1 << 16 }; /* a trace may say anything */

struct placed {
    int32_t row, rank;
    int32_t place; /* among the calls of its rank on the path */
};

struct sched_page_before {
    struct poe_ancestors *ancestors;
    struct placed *calls; /* by their numbers there */
    int32_t n_calls;
    int32_t *lengths; /* how many calls each rank has */
    int32_t *changed; /* calls of earlier nodes */
    size_t n_changed;
    int32_t *named; /* scratch */
    uint32_t named_room;
};

struct sched_page_before *sched_page_before_create(void)
{
    struct sched_page_before *b = sched_alloc(1, sizeof *b);
    b->ancestors = poe_ancestors_create();
    b->lengths = sched_alloc(MAX_RANKS, sizeof *b->lengths);
    return b;
}

void sched_page_before_destroy(struct sched_page_before *b)
{
    if (!b)
        return;
    poe_ancestors_destroy(b->ancestors);
    free(b->calls);
    free(b->lengths);
    free(b->changed);
    free(b->named);
    free(b);
}

/* The number of a row; -1: it is not on the path. */
static int32_t number_of(const struct sched_page_before *b, int32_t row)
{
    int32_t low = 0, high = b->n_calls;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (b->calls[middle].row < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < b->n_calls && b->calls[low].row == row ? low : -1;
}

void sched_page_before_call(struct sched_page_before *b, int32_t row, int64_t rank,
                            const struct poe_ancestor_call *kind, const int32_t *named, uint32_t n_named)
{
    if (rank < 0 || rank >= MAX_RANKS)
        return;
    struct poe_ancestor_call call = *kind;
    if (n_named > b->named_room) {
        b->named_room = 2 * n_named;
        b->named = sched_grow(b->named, b->named_room, sizeof *b->named);
    }
    for (uint32_t i = 0; i < n_named; i++)
        b->named[i] = number_of(b, named[i]);
    call.rank = (int32_t)rank;
    call.named = b->named;
    call.n_named = n_named;
    SCHED_GROW(b->calls, b->n_calls);
    b->calls[b->n_calls++] = (struct placed){row, call.rank, b->lengths[rank]++};
    poe_ancestors_add(b->ancestors, &call);
}

static void note_changed(struct sched_page_before *b, int32_t call)
{
    SCHED_GROW(b->changed, b->n_changed);
    b->changed[b->n_changed++] = call;
}

void sched_page_before_match(struct sched_page_before *b, int32_t send_row, int32_t receive_row)
{
    int32_t send = number_of(b, send_row), receive = number_of(b, receive_row);
    if (send < 0 || receive < 0)
        return;
    const int32_t *changed;
    unsigned n = poe_ancestors_match(b->ancestors, send, receive, &changed);
    for (unsigned i = 0; i < n; i++)
        note_changed(b, changed[i]);
}

struct poe_ancestors_mark sched_page_before_enter(struct sched_page_before *b)
{
    b->n_changed = 0;
    return poe_ancestors_mark(b->ancestors);
}

static void write_call(const struct sched_page_before *b, int32_t call, struct sched_page_table *table)
{
    const struct placed *p = &b->calls[call];
    const int32_t *list;
    unsigned n = poe_ancestors_of(b->ancestors, call, &list);
    for (unsigned i = 0; i < n; i++)
        if (b->calls[list[i]].rank == p->rank) /* a damaged trace has others */
            sched_page_row(table, (const int64_t[]){p->row, p->place - b->calls[list[i]].place});
}

static int by_number(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

void sched_page_before_write(struct sched_page_before *b, const struct poe_ancestors_mark *mark,
                             struct sched_page_table *table)
{
    if (b->n_changed > 1)
        qsort(b->changed, b->n_changed, sizeof *b->changed, by_number);
    for (size_t i = 0; i < b->n_changed; i++)
        if (b->changed[i] < mark->calls && (i == 0 || b->changed[i] != b->changed[i - 1]))
            write_call(b, b->changed[i], table);
    for (int32_t call = mark->calls; call < b->n_calls; call++)
        write_call(b, call, table);
}

void sched_page_before_back(struct sched_page_before *b, const struct poe_ancestors_mark *mark)
{
    poe_ancestors_back(b->ancestors, mark);
    while (b->n_calls > mark->calls)
        b->lengths[b->calls[--b->n_calls].rank]--;
}

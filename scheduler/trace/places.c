/* SPDX-License-Identifier: BSD-3-Clause */
/* An array for each thread of each rank: the numbers are dense. What is out of all bounds, which a damaged
 * trace may hold, is not noted. */
#include "places.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { MAX_RANKS = 1 << 16, MAX_THREADS = 1 << 12 };

struct lane {
    int32_t *rows;
    int64_t room;
};

struct rank {
    struct lane *threads;
    int64_t n;
};

struct noted {
    uint32_t rank, thread;
    int64_t index;
};

struct sched_places {
    int64_t most;
    struct rank *ranks;
    int64_t n;
    struct noted *noted;
    size_t count, room;
};

struct sched_places *sched_places_create(int64_t most)
{
    struct sched_places *p = sched_alloc(1, sizeof *p);
    p->most = most;
    return p;
}

void sched_places_destroy(struct sched_places *p)
{
    for (int64_t r = 0; p && r < p->n; r++) {
        for (int64_t t = 0; t < p->ranks[r].n; t++)
            free(p->ranks[r].threads[t].rows);
        free(p->ranks[r].threads);
    }
    if (p) {
        free(p->ranks);
        free(p->noted);
    }
    free(p);
}

/* Room for `index`, all of it zero at first: rows are held as one more. */
static struct lane *lane_for(struct sched_places *p, int64_t rank, int64_t thread, int64_t index)
{
    if (rank >= p->n) {
        p->ranks = sched_grow(p->ranks, (size_t)rank + 1, sizeof *p->ranks);
        memset(p->ranks + p->n, 0, (size_t)(rank + 1 - p->n) * sizeof *p->ranks);
        p->n = rank + 1;
    }
    struct rank *r = &p->ranks[rank];
    if (thread >= r->n) {
        r->threads = sched_grow(r->threads, (size_t)thread + 1, sizeof *r->threads);
        memset(r->threads + r->n, 0, (size_t)(thread + 1 - r->n) * sizeof *r->threads);
        r->n = thread + 1;
    }
    struct lane *lane = &r->threads[thread];
    if (index >= lane->room) {
        int64_t room = 2 * index + 64;
        lane->rows = sched_grow(lane->rows, (size_t)room, sizeof *lane->rows);
        memset(lane->rows + lane->room, 0, (size_t)(room - lane->room) * sizeof *lane->rows);
        lane->room = room;
    }
    return lane;
}

void sched_places_note(struct sched_places *p, int64_t rank, int64_t number, int32_t row)
{
    int64_t thread = sched_places_thread(number), index = sched_places_index(number);
    if (rank < 0 || rank >= MAX_RANKS || thread < 0 || thread >= MAX_THREADS || index > p->most)
        return;
    lane_for(p, rank, thread, index)->rows[index] = row + 1;
    if (p->count == p->room) {
        p->room = 2 * p->room + 64;
        p->noted = sched_grow(p->noted, p->room, sizeof *p->noted);
    }
    p->noted[p->count++] = (struct noted){(uint32_t)rank, (uint32_t)thread, index};
}

int32_t sched_places_find(const struct sched_places *p, int64_t rank, int64_t number)
{
    int64_t thread = sched_places_thread(number), index = sched_places_index(number);
    if (rank < 0 || rank >= p->n || thread < 0 || thread >= p->ranks[rank].n ||
        index >= p->ranks[rank].threads[thread].room)
        return -1;
    return p->ranks[rank].threads[thread].rows[index] - 1;
}

size_t sched_places_count(const struct sched_places *p) { return p->count; }

void sched_places_back(struct sched_places *p, size_t count)
{
    while (p->count > count) {
        const struct noted *n = &p->noted[--p->count];
        p->ranks[n->rank].threads[n->thread].rows[n->index] = 0;
    }
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See watch_compiled.h. The watches lie in an array by their first byte; each entry also knows the highest
 * end of those before it, so a look-up goes back no further than it must.
 */
#include "watch_compiled.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/phase.h"
#include "watch_means.h"

struct prof_watch_range prof_watch_range;
bool prof_watch_is_compiled;

struct entry {
    struct prof_watch *watch;
    uintptr_t highest; /* end of this one and of all before it */
};

static struct entry *entries;
static size_t n_entries, room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int by_low(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return x->watch->low < y->watch->low ? -1 : x->watch->low > y->watch->low;
}

static void add_all(struct prof_watch *w)
{
    for (; w; w = w->next) {
        if (n_entries == room)
            entries = prof_grow(entries, room = room ? 2 * room : 64, sizeof *entries);
        entries[n_entries++] = (struct entry){w, 0};
    }
}

void prof_watch_compiled_settle(void)
{
    if (!prof_watch_is_compiled)
        return;
    pthread_mutex_lock(&lock);
    n_entries = 0;
    add_all(prof_watch_newest(true));
    add_all(prof_watch_newest(false));
    if (n_entries)
        qsort(entries, n_entries, sizeof *entries, by_low);
    uintptr_t highest = 0;
    for (size_t i = 0; i < n_entries; i++) {
        highest = entries[i].watch->high > highest ? entries[i].watch->high : highest;
        entries[i].highest = highest;
    }
    prof_watch_range.span = 0;
    prof_watch_range.low = n_entries ? entries[0].watch->low : 0;
    prof_watch_range.span = n_entries ? highest - entries[0].watch->low : 0;
    pthread_mutex_unlock(&lock);
}

/* How many entries begin below this address. */
static size_t count_below(uintptr_t high)
{
    size_t low = 0, n = n_entries;
    while (low < n) {
        size_t middle = low + (n - low) / 2;
        if (entries[middle].watch->low < high)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

void prof_watch_touched(uintptr_t address, size_t bytes, bool store, const void *site)
{
    if (prof_phase != PROF_RUNNING || prof_depth > 0)
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = count_below(address + bytes); i-- > 0 && entries[i].highest > address;) {
        struct prof_watch *w = entries[i].watch;
        uintptr_t low = address > w->low ? address : w->low,
                  high = address + bytes < w->high ? address + bytes : w->high;
        if (w->high > address)
            prof_watch_note(w, store ? PROF_STORE : PROF_LOAD, low, high - low, site);
    }
    pthread_mutex_unlock(&lock);
}

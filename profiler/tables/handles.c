/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A hash from (kind, handle) to the creations of that handle that were not freed
 * yet. Nearly every handle has one creation, which lives in the entry itself;
 * further ones, for a handle that MPI returned again, are chained behind it.
 *
 * What counts as predefined is MPICH's encoding of handles: the two top bits are
 * 00 for null handles, 01 for built-in ones, and have the top bit set for objects
 * made at run time. There are two exceptions, at is_users_own() below.
 */
#include "handles.h"

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/phase.h"
#include "base/hash.h"

/* A tool that cannot note a handle would miss or invent a leak. */
#define uthash_fatal(message) abort()
#include <uthash.h>

struct creation {
    enum isp_fn fn;
    const void *site;
    uint64_t number; /* in order of creation, over all handles */
    struct creation *earlier;
};

struct key {
    int32_t kind, handle; /* no padding: hashed as bytes */
};

struct entry {
    struct key key;
    bool live;
    struct creation latest;  /* if it is live; its number also after that */
    struct prof_place freed; /* if not */
    UT_hash_handle hh;
};

static struct entry *table;
static uint64_t creations;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_users_own(enum prof_handle_kind kind, int handle)
{
    switch (kind) {
    case PROF_HANDLE_GROUP:
        /* MPICH has built-in groups for MPI_COMM_WORLD and MPI_COMM_SELF, but the
         * program must free what MPI_Comm_group gave it all the same. */
        return handle != MPI_GROUP_NULL && handle != MPI_GROUP_EMPTY;
    case PROF_HANDLE_DATATYPE:
        /* The pair types of MPI_MINLOC look as if made at run time. */
        if (handle == (int)MPI_FLOAT_INT || handle == (int)MPI_DOUBLE_INT || handle == (int)MPI_LONG_INT ||
            handle == (int)MPI_SHORT_INT || handle == (int)MPI_LONG_DOUBLE_INT)
            return false;
        return handle < 0;
    default: return handle < 0;
    }
}

static struct entry *find(enum prof_handle_kind kind, int handle)
{
    struct key key = {kind, handle};
    struct entry *entry;
    HASH_FIND(hh, table, &key, sizeof key, entry);
    return entry;
}

void prof_handle_created(enum prof_handle_kind kind, int handle, enum isp_fn fn, const void *site)
{
    if (!is_users_own(kind, handle))
        return;
    pthread_mutex_lock(&lock);
    struct creation creation = {.fn = fn, .site = site, .number = creations++};
    struct entry *entry = find(kind, handle);
    if (entry && !entry->live) {
        entry->latest = creation;
        entry->live = true;
    } else if (entry) {
        creation.earlier = malloc(sizeof *creation.earlier);
        if (!creation.earlier)
            abort();
        *creation.earlier = entry->latest;
        entry->latest = creation;
    } else {
        entry = malloc(sizeof *entry);
        if (!entry)
            abort();
        entry->key = (struct key){kind, handle};
        entry->latest = creation;
        entry->live = true;
        HASH_ADD(hh, table, key, sizeof entry->key, entry);
    }
    pthread_mutex_unlock(&lock);
}

/* Drops the latest creation; with the last one the handle is freed. */
static void drop_latest(struct entry *entry)
{
    struct creation *earlier = entry->live ? entry->latest.earlier : NULL;
    if (earlier) {
        entry->latest = *earlier;
        free(earlier);
    } else {
        entry->live = false;
        entry->freed = (struct prof_place){prof_current.fn, prof_current.site};
    }
}

static void forget(struct entry *entry)
{
    HASH_DEL(table, entry);
    free(entry);
}

void prof_handle_freed(enum prof_handle_kind kind, int handle)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = find(kind, handle);
    if (entry)
        drop_latest(entry);
    pthread_mutex_unlock(&lock);
}

enum prof_handle_life prof_handle_life(enum prof_handle_kind kind, int handle, struct prof_place *freed)
{
    pthread_mutex_lock(&lock);
    const struct entry *entry = find(kind, handle);
    enum prof_handle_life life = !entry        ? PROF_HANDLE_UNKNOWN
                                 : entry->live ? PROF_HANDLE_LIVE
                                               : PROF_HANDLE_FREED;
    if (life == PROF_HANDLE_FREED)
        *freed = entry->freed;
    pthread_mutex_unlock(&lock);
    return life;
}

void prof_handle_seen(enum prof_handle_kind kind, int handle)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = find(kind, handle);
    if (entry && !entry->live)
        forget(entry);
    pthread_mutex_unlock(&lock);
}

/* One creation that was not freed, taken out of the table to be sorted. */
struct leak {
    int32_t kind;
    enum isp_fn fn;
    const void *site;
    uint64_t number;
    uint32_t count;
};

static int by_number(const void *a, const void *b)
{
    const struct leak *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

static int by_place(const void *a, const void *b)
{
    const struct leak *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->fn != y->fn)
        return x->fn < y->fn ? -1 : 1;
    if (x->site != y->site)
        return (uintptr_t)x->site < (uintptr_t)y->site ? -1 : 1;
    return by_number(a, b);
}

static bool same_place(const struct leak *a, const struct leak *b)
{
    return a->kind == b->kind && a->fn == b->fn && a->site == b->site;
}

/* All creations in the table, on the heap; sets *n. NULL if there are none. */
static struct leak *list_creations(size_t *n)
{
    struct entry *entry, *next;
    struct leak *leaks;
    *n = 0;
    HASH_ITER (hh, table, entry, next)
        for (const struct creation *c = entry->live ? &entry->latest : NULL; c; c = c->earlier)
            ++*n;
    if (*n == 0)
        return NULL;
    leaks = malloc(*n * sizeof *leaks);
    if (!leaks)
        abort();
    size_t i = 0;
    HASH_ITER (hh, table, entry, next)
        for (const struct creation *c = entry->live ? &entry->latest : NULL; c; c = c->earlier)
            leaks[i++] = (struct leak){entry->key.kind, c->fn, c->site, c->number, 1};
    return leaks;
}

void prof_handles_each_leak(prof_leak_see *see, void *context)
{
    size_t n, places = 0;
    pthread_mutex_lock(&lock);
    struct leak *leaks = list_creations(&n);
    pthread_mutex_unlock(&lock);
    if (!leaks)
        return;
    /* Sum up those of one place, then go by each place's first creation. */
    qsort(leaks, n, sizeof *leaks, by_place);
    for (size_t i = 0; i < n; i++)
        if (places && same_place(&leaks[places - 1], &leaks[i]))
            leaks[places - 1].count++;
        else
            leaks[places++] = leaks[i];
    qsort(leaks, places, sizeof *leaks, by_number);
    for (size_t i = 0; i < places; i++)
        see((enum prof_handle_kind)leaks[i].kind, leaks[i].fn, leaks[i].site, leaks[i].count, context);
    free(leaks);
}

static int latest_first(const void *a, const void *b) { return -by_number(a, b); }

void prof_handles_each_keyval(void (*see)(int keyval, void *context), void *context)
{
    struct entry *entry, *next;
    size_t n = 0;
    struct keyval {
        struct leak order;
        int keyval;
    } *all = malloc((HASH_COUNT(table) + 1) * sizeof *all);
    if (!all)
        abort();
    pthread_mutex_lock(&lock);
    HASH_ITER (hh, table, entry, next)
        if (entry->key.kind == PROF_HANDLE_KEYVAL)
            all[n++] = (struct keyval){{.number = entry->latest.number}, entry->key.handle};
    pthread_mutex_unlock(&lock);
    qsort(all, n, sizeof *all, latest_first);
    for (size_t i = 0; i < n; i++)
        see(all[i].keyval, context);
    free(all);
}

static struct prof_hash hash_of(const struct entry *entry)
{
    struct prof_hash h = {0};
    prof_hash_word(&h, (uint64_t)entry->key.kind << 32 | (uint32_t)entry->key.handle);
    prof_hash_word(&h, entry->live);
    for (const struct creation *c = &entry->latest; c; c = entry->live ? c->earlier : NULL) {
        prof_hash_word(&h, c->fn);
        prof_hash_pointer(&h, c->site);
        prof_hash_word(&h, c->number);
    }
    prof_hash_word(&h, entry->live ? 0 : entry->freed.fn);
    prof_hash_pointer(&h, entry->live ? NULL : entry->freed.site);
    return h;
}

void prof_handles_hash(struct prof_hash *hash)
{
    struct entry *entry, *next;
    struct prof_hash sum = {0};
    pthread_mutex_lock(&lock);
    HASH_ITER (hh, table, entry, next)
        prof_hash_add(&sum, hash_of(entry));
    prof_hash_word(hash, creations);
    pthread_mutex_unlock(&lock);
    prof_hash_word(hash, sum.low);
    prof_hash_word(hash, sum.high);
}

void prof_handles_finish(void)
{
    struct entry *entry, *next;
    pthread_mutex_lock(&lock);
    HASH_ITER (hh, table, entry, next)
        while (entry->live && entry->latest.earlier)
            drop_latest(entry);
    HASH_ITER (hh, table, entry, next)
        forget(entry);
    pthread_mutex_unlock(&lock);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h. A message names a file twice, by its name and by its inode; each is an entry. Without both it
 * is about all there is. */
#include "files.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>
#include <uthash.h>

#include "base/alloc.h"
#include "base/mix.h"
#include "isp/file.h"
#include "leftovers.h"

enum { MOST = 10000, PIECES = 65536 };

struct key {
    uint64_t device, number; /* of a file; device 0: a name; both 0: everything */
};

struct entry {
    struct key key;
    uint64_t looked, changed;    /* the newest checkpoint when it first was, counted from 1; 0: it was not */
    struct sched_leftover found; /* the run that looked at it as an earlier one had left it, perhaps */
    struct sched_leftover left;  /* the run that leaves it other than it was */
    char *path;                  /* of a name */
    bool renewed;                /* the program has made it anew, or has changed it by itself: nothing is
                                    found */
    bool wrote;                  /* it was changed, and not only opened such that it may be */
    bool there;                  /* by MPI: it was there, or was made */
    bool kept;                   /* it was opened to be changed, and what was in there is there yet */
    struct piece {
        uint64_t low, high;
    } * written; /* by MPI in this run: ascending, apart from each other */
    size_t n_written;
    UT_hash_handle hh;
};

struct sched_files {
    uint64_t run; /* leftovers.h */
    struct entry *entries;
};

/* What follows is of a run of its own. */
static struct sched_files *create(void)
{
    struct sched_files *files = sched_alloc(1, sizeof *files);
    while (files->run == 0 || files->run == UINT64_MAX)
        if (getrandom(&files->run, sizeof files->run, 0) < 0)
            files->run = (uint64_t)getpid() << 32 | (uint32_t)(uintptr_t)files;
    return files;
}

static struct entry *add(struct sched_files *files, const struct entry *like)
{
    struct entry *e = sched_copy(like, sizeof *like);
    e->path = like->path ? sched_strdup(like->path) : NULL;
    e->written = sched_copy(like->written, like->n_written * sizeof *e->written);
    HASH_ADD(hh, files->entries, key, sizeof e->key, e);
    return e;
}

void sched_files_destroy(struct sched_files *files)
{
    struct entry *e, *next;
    if (!files)
        return;
    HASH_ITER (hh, files->entries, e, next) {
        HASH_DEL(files->entries, e);
        free(e->path);
        free(e->written);
        free(e);
    }
    free(files);
}

struct sched_files *sched_files_copy(const struct sched_files *files)
{
    if (!files)
        return NULL;
    struct sched_files *copy = create();
    for (const struct entry *e = files->entries; e; e = e->hh.next)
        add(copy, e);
    return copy;
}

static struct entry *find(struct sched_files *files, struct key key, char *path)
{
    struct entry *e;
    HASH_FIND(hh, files->entries, &key, sizeof key, e);
    return e ? e : add(files, &(struct entry){.key = key, .path = path});
}

/* It was before the checkpoint to which the run can go back. */
static bool is_before(uint64_t when, uint64_t last) { return when && when <= last; }

static bool meets(const struct entry *e, unsigned what, uint64_t last)
{
    return is_before(e->changed, last) || ((what & ISP_FILE_CHANGES) && is_before(e->looked, last));
}

/* Whether the run could not go back after this. */
static bool is_spoilt(const struct sched_files *files, const struct entry *e, unsigned what, uint64_t last)
{
    static const struct key everything;
    const struct entry *all;
    HASH_FIND(hh, files->entries, &everything, sizeof everything, all);
    if (meets(e, what, last) || (all && meets(all, what, last)))
        return true;
    for (const struct entry *other = all == e ? files->entries : NULL; other; other = other->hh.next)
        if (meets(other, what, last))
            return true;
    return false;
}

/* What is open is read or written for the first time: no matter for checkpoints. */
static void touch(struct entry *e, unsigned what, uint64_t run)
{
    if ((what & ISP_FILE_LOOKS) && !e->renewed)
        e->found = SCHED_LEFTOVER_ALL(run);
    if (what & ISP_FILE_CHANGES) {
        e->left = SCHED_LEFTOVER_ALL(run);
        e->renewed = e->wrote = true;
    }
}

static void note_existence(struct entry *e, unsigned what, uint64_t run)
{
    bool there = what & ISP_FILE_THERE, made = what & ISP_FILE_MADE;
    if (there && !made && !e->renewed && !e->there)
        sched_leftover_join(&e->found, (struct sched_leftover){.by = run, .exists = true});
    if (made && !there)
        sched_leftover_join(&e->left, (struct sched_leftover){.by = run, .exists = true});
    e->there = e->there || there || made;
}

static void note(struct entry *e, unsigned what, uint64_t run, uint64_t now)
{
    note_existence(e, what, run);
    if ((what & ISP_FILE_LOOKS) && !e->looked)
        e->looked = now + 1;
    if ((what & ISP_FILE_LOOKS) && !(what & ISP_FILE_PERHAPS) && (!e->changed || e->kept))
        e->found = SCHED_LEFTOVER_ALL(run);
    if (!(what & ISP_FILE_CHANGES))
        return;
    e->kept = (what & ISP_FILE_KEEPS) && !(what & ISP_FILE_PERHAPS) && (!e->changed || e->kept);
    e->renewed = e->renewed || !(what & ISP_FILE_PERHAPS) || (what & ISP_FILE_REMOVES);
    e->wrote = e->wrote || !(what & ISP_FILE_PERHAPS) || (what & ISP_FILE_REMOVES);
    if (!(what & ISP_FILE_LATER) || (what & ISP_FILE_REMOVES))
        e->left = SCHED_LEFTOVER_ALL(run);
    if ((what & ISP_FILE_REMOVES) && e->changed)
        e->left = (struct sched_leftover){0};
    if (!e->changed)
        e->changed = now + 1;
}

static void take(const struct sched_files *files, struct entry *e, unsigned what, uint64_t now, uint64_t last,
                 bool *spoils)
{
    if ((what & ISP_FILE_LATER) && !(what & ISP_FILE_PERHAPS)) {
        touch(e, what, files->run);
        return;
    }
    *spoils |= is_spoilt(files, e, what, last);
    note(e, what, files->run, now);
}

bool sched_files_take(struct sched_files **files, const struct isp_file *told, uint64_t now, uint64_t last)
{
    if (told->what == ISP_FILE_MAPS) /* held.c knows what a rank maps */
        return false;
    if (!*files)
        *files = create();
    bool spoils = HASH_COUNT((*files)->entries) >= MOST;
    if (spoils)
        return true;
    struct key file = {.device = told->device, .number = told->inode}, name = {.number = told->name};
    char *path = sched_must(strndup(told->path, told->length));
    if (told->name || !told->device)
        take(*files, find(*files, name, path), told->what, now, last, &spoils);
    if (told->device)
        take(*files, find(*files, file, NULL), told->what, now, last, &spoils);
    free(path);
    return spoils;
}

/* ---- bytes ---- */

/* The first piece that ends at or behind `at`. */
static size_t piece_at(const struct entry *e, uint64_t at)
{
    size_t low = 0, high = e->n_written;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (e->written[middle].high < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_piece(struct entry *e, uint64_t low, uint64_t high)
{
    size_t from = piece_at(e, low), to = from;
    for (; to < e->n_written && e->written[to].low <= high; to++) {
        low = e->written[to].low < low ? e->written[to].low : low;
        high = e->written[to].high > high ? e->written[to].high : high;
    }
    if (from == to)
        e->written = sched_grow(e->written, e->n_written + 1, sizeof *e->written);
    memmove(&e->written[from + 1], &e->written[to], (e->n_written - to) * sizeof *e->written);
    e->n_written -= to - from;
    e->n_written++;
    e->written[from] = (struct piece){low, high};
}

/* Too many pieces are taken to leave no holes: nothing is said of those that would be found there. */
static void add_written(struct entry *e, const struct isp_file_run *run)
{
    uint64_t end = 0;
    (void)isp_file_run_end(run, &end);
    if (run->n > PIECES || e->n_written + run->n > PIECES) {
        add_piece(e, run->at, end);
        return;
    }
    for (uint64_t i = 0; i < run->n; i++)
        add_piece(e, run->at + i * run->stride, run->at + i * run->stride + run->length);
}

/* Bytes of [low, high) that this run has not written are what it finds: from the first to the last. */
static void find_unwritten(struct entry *e, uint64_t low, uint64_t high, uint64_t run)
{
    size_t first = piece_at(e, low + 1), last = piece_at(e, high);
    if (first < e->n_written && e->written[first].low <= low)
        low = e->written[first].high;
    if (last < e->n_written && e->written[last].low < high)
        high = e->written[last].low;
    if (low < high)
        sched_leftover_join(&e->found, (struct sched_leftover){.by = run, .low = low, .high = high});
}

static void find_bytes(struct entry *e, const struct isp_file_access *a, uint64_t run)
{
    uint64_t written = e->n_written ? e->written[e->n_written - 1].high : 0;
    if (e->renewed)
        return;
    if (a->kind == ISP_FILE_SIZE) {
        find_unwritten(e, written, INT64_MAX, run);
        return;
    }
    if (a->unknown && !written)
        find_unwritten(e, 0, INT64_MAX, run);
    uint64_t pieces = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct isp_file_run *r = &a->runs[i];
        uint64_t end = 0;
        (void)isp_file_run_end(r, &end);
        bool many = r->n > PIECES - pieces;
        pieces += many ? 0 : r->n;
        for (uint64_t k = 0; k < r->n && !many; k++)
            find_unwritten(e, r->at + k * r->stride, r->at + k * r->stride + r->length, run);
        if (many)
            find_unwritten(e, r->at, end, run);
    }
}

/* Whatever it was that the run has changed, it leaves; MPI_File_set_size, all from there on. */
static void leave_bytes(struct entry *e, const struct isp_file_access *a, uint64_t run)
{
    struct sched_leftover left = {.by = run};
    for (uint32_t i = 0; i < a->n; i++) {
        left.low = a->runs[i].at;
        (void)isp_file_run_end(&a->runs[i], &left.high);
        sched_leftover_join(&e->left, left);
    }
    if (a->unknown) {
        sched_leftover_join(&e->left, (struct sched_leftover){.by = run, .high = INT64_MAX});
        e->renewed = true; /* or not: nothing is said of what it finds */
    }
    e->left.by = run;
}

bool sched_files_access(struct sched_files *files, const struct isp_file_access *a, uint64_t now,
                        uint64_t last)
{
    struct key key = {.number = a->name};
    struct entry *e = NULL;
    if (files && a->name && a->kind != ISP_FILE_END)
        HASH_FIND(hh, files->entries, &key, sizeof key, e);
    if (!e)
        return false;
    if (a->kind == ISP_FILE_READ || a->kind == ISP_FILE_SIZE) {
        find_bytes(e, a, files->run);
        e->looked = e->looked ? e->looked : now + 1;
        return is_spoilt(files, e, ISP_FILE_LOOKS, last);
    }
    for (uint32_t i = 0; i < a->n; i++)
        add_written(e, &a->runs[i]);
    leave_bytes(e, a, files->run);
    e->wrote = true;
    e->changed = e->changed ? e->changed : now + 1;
    return false;
}

/* In which order they came depends on time. */
uint64_t sched_files_hash(const struct sched_files *files)
{
    uint64_t sum = 0;
    for (const struct entry *e = files ? files->entries : NULL; e; e = e->hh.next)
        sum += sched_mix(sched_mix(e->key.device, e->key.number),
                         (uint64_t)e->wrote << 2 | (uint64_t)(e->looked > 0) << 1 | (e->changed > 0));
    return sum;
}

bool sched_files_are_read_back(const struct sched_files *files)
{
    for (const struct entry *e = files ? files->entries : NULL; e; e = e->hh.next) {
        bool any = !e->key.device && !e->key.number; /* it may be any file */
        if ((e->looked && e->wrote) || (any && HASH_COUNT(files->entries) > 1))
            return true;
    }
    return false;
}

void sched_files_leave(const struct sched_files *files, struct sched_leftovers **leftovers)
{
    for (const struct entry *e = files ? files->entries : NULL; e; e = e->hh.next)
        if (e->path && e->key.number && (e->found.by || e->left.by))
            sched_leftovers_add(leftovers, e->key.number, e->path, e->found, e->left);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See files.h. A message names a file twice, by its name and by its inode; each is an entry. Without both it
 * is about all there is. */
#include "files.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>
#include <uthash.h>

#include "alloc.h"
#include "isp/file.h"
#include "leftovers.h"

enum { MOST = 10000 };

struct key {
    uint64_t device, number; /* of a file; device 0: a name; both 0: everything */
};

struct entry {
    struct key key;
    uint64_t looked, changed; /* the newest checkpoint when it first was, counted from 1; 0: it was not */
    uint64_t found_by;        /* the run that looked at it as an earlier one had left it, perhaps; or 0 */
    uint64_t left_by;         /* the run that leaves it other than it was; or 0 */
    char *path;               /* of a name */
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
    HASH_ADD(hh, files->entries, key, sizeof e->key, e);
    return e;
}

void sched_files_destroy(struct sched_files *files)
{
    struct entry *e, *next;
    if (!files)
        return;
    HASH_ITER(hh, files->entries, e, next) {
        HASH_DEL(files->entries, e);
        free(e->path);
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

static void note(struct entry *e, unsigned what, uint64_t run, uint64_t now)
{
    if ((what & ISP_FILE_LOOKS) && !e->looked)
        e->looked = now + 1;
    if ((what & ISP_FILE_LOOKS) && !(what & ISP_FILE_PERHAPS) && !e->changed)
        e->found_by = run;
    if (!(what & ISP_FILE_CHANGES))
        return;
    e->left_by = !(what & ISP_FILE_REMOVES) || !e->changed ? run : 0;
    if (!e->changed)
        e->changed = now + 1;
}

static void take(const struct sched_files *files, struct entry *e, unsigned what, uint64_t now, uint64_t last,
                 bool *spoils)
{
    *spoils |= is_spoilt(files, e, what, last);
    note(e, what, files->run, now);
}

bool sched_files_take(struct sched_files **files, struct isp_reader *in, uint64_t now, uint64_t last,
                      bool *spoils)
{
    struct isp_file told;
    if (!isp_get_file(in, &told))
        return false;
    if (!*files)
        *files = create();
    *spoils = HASH_COUNT((*files)->entries) >= MOST;
    if (*spoils)
        return true;
    struct key file = {.device = told.device, .number = told.inode}, name = {.number = told.name};
    char *path = sched_must(strndup(told.path, told.length));
    if (told.name || !told.device)
        take(*files, find(*files, name, path), told.what, now, last, spoils);
    if (told.device)
        take(*files, find(*files, file, NULL), told.what, now, last, spoils);
    free(path);
    return true;
}

void sched_files_leave(const struct sched_files *files, struct sched_leftovers **leftovers)
{
    for (const struct entry *e = files ? files->entries : NULL; e; e = e->hh.next)
        if (e->path && e->key.number && (e->found_by || e->left_by))
            sched_leftovers_add(leftovers, e->key.number, e->path, e->found_by, e->left_by);
}

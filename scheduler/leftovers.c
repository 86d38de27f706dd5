/* SPDX-License-Identifier: BSD-3-Clause */
#include "leftovers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "alloc.h"

struct entry {
    uint64_t name;
    char *path;
    bool found, left;
    UT_hash_handle hh;
};

struct sched_leftovers {
    struct entry *entries;
};

void sched_leftovers_destroy(struct sched_leftovers *leftovers)
{
    struct entry *e, *next;
    if (!leftovers)
        return;
    HASH_ITER(hh, leftovers->entries, e, next) {
        HASH_DEL(leftovers->entries, e);
        free(e->path);
        free(e);
    }
    free(leftovers);
}

void sched_leftovers_add(struct sched_leftovers **leftovers, uint64_t name, const char *path, bool found,
                         bool left)
{
    struct entry *e;
    if (!*leftovers)
        *leftovers = sched_alloc(1, sizeof **leftovers);
    HASH_FIND(hh, (*leftovers)->entries, &name, sizeof name, e);
    if (!e) {
        e = sched_alloc(1, sizeof *e);
        e->name = name;
        e->path = sched_strdup(path);
        HASH_ADD(hh, (*leftovers)->entries, name, sizeof e->name, e);
    }
    e->found |= found;
    e->left |= left;
}

void sched_leftovers_merge(struct sched_leftovers **leftovers, const struct sched_leftovers *more)
{
    for (const struct entry *e = more ? more->entries : NULL; e; e = e->hh.next)
        sched_leftovers_add(leftovers, e->name, e->path, e->found, e->left);
}

/* The name as text: JSON has no unsigned numbers of this size. A path of which JSON can say nothing is shown
 * as it can be. */
json_t *sched_leftovers_write(const struct sched_leftovers *leftovers)
{
    json_t *all = json_array();
    for (const struct entry *e = leftovers ? leftovers->entries : NULL; e; e = e->hh.next) {
        char *name = sched_format("%" PRIx64, e->name);
        json_t *path = json_string(e->path);
        json_array_append_new(all, json_pack("[s, o, b, b]", name, path ? path : json_string("?"),
                                             (int)e->found, (int)e->left));
        free(name);
    }
    return all;
}

bool sched_leftovers_read(struct sched_leftovers **leftovers, const json_t *json)
{
    for (size_t i = 0; i < json_array_size(json); i++) {
        const char *name, *path;
        int found, left;
        if (json_unpack(json_array_get(json, i), "[s, s, b, b]", &name, &path, &found, &left) != 0)
            return false;
        sched_leftovers_add(leftovers, strtoull(name, NULL, 16), path, found, left);
    }
    return json_is_array(json);
}

char *sched_leftovers_words(const struct sched_leftovers *leftovers)
{
    const char *first = NULL; /* by name: which comes first in the table depends on the search */
    for (const struct entry *e = leftovers ? leftovers->entries : NULL; e; e = e->hh.next)
        if (e->found && e->left && (!first || strcmp(e->path, first) < 0))
            first = e->path;
    return first ? sched_format("what an interleaving does depends on %s, which those before it have left",
                                first)
                 : NULL;
}

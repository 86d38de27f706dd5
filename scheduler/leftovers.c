/* SPDX-License-Identifier: BSD-3-Clause */
#include "leftovers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "alloc.h"

static const uint64_t SEVERAL = UINT64_MAX;

struct entry {
    uint64_t name;
    char *path;
    uint64_t found_by, left_by; /* 0: nobody */
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

static uint64_t both(uint64_t one, uint64_t other)
{
    if (!one || !other)
        return one | other;
    return one == other ? one : SEVERAL;
}

/* That a run looks at a name before it makes the file says nothing: mkdtemp by hand, say. */
static bool has_met(const struct entry *e)
{
    return e->found_by && e->left_by && (e->found_by != e->left_by || e->found_by == SEVERAL);
}

void sched_leftovers_add(struct sched_leftovers **leftovers, uint64_t name, const char *path, uint64_t found_by,
                         uint64_t left_by)
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
    e->found_by = both(e->found_by, found_by);
    e->left_by = both(e->left_by, left_by);
}

void sched_leftovers_merge(struct sched_leftovers **leftovers, const struct sched_leftovers *more)
{
    for (const struct entry *e = more ? more->entries : NULL; e; e = e->hh.next)
        sched_leftovers_add(leftovers, e->name, e->path, e->found_by, e->left_by);
}

/* As text: JSON has no unsigned numbers of this size. */
static json_t *number(uint64_t n)
{
    char text[17];
    snprintf(text, sizeof text, "%" PRIx64, n);
    return json_string(text);
}

/* A path of which JSON can say nothing is shown as it can be. */
json_t *sched_leftovers_write(const struct sched_leftovers *leftovers)
{
    json_t *all = json_array();
    for (const struct entry *e = leftovers ? leftovers->entries : NULL; e; e = e->hh.next) {
        json_t *path = json_string(e->path);
        json_array_append_new(all, json_pack("[o, o, o, o]", number(e->name), path ? path : json_string("?"),
                                             number(e->found_by), number(e->left_by)));
    }
    return all;
}

bool sched_leftovers_read(struct sched_leftovers **leftovers, const json_t *json)
{
    for (size_t i = 0; i < json_array_size(json); i++) {
        const char *name, *path, *found_by, *left_by;
        if (json_unpack(json_array_get(json, i), "[s, s, s, s]", &name, &path, &found_by, &left_by) != 0)
            return false;
        sched_leftovers_add(leftovers, strtoull(name, NULL, 16), path, strtoull(found_by, NULL, 16),
                            strtoull(left_by, NULL, 16));
    }
    return json_is_array(json);
}

char *sched_leftovers_words(const struct sched_leftovers *leftovers)
{
    const char *first = NULL; /* by name: which comes first in the table depends on the search */
    for (const struct entry *e = leftovers ? leftovers->entries : NULL; e; e = e->hh.next)
        if (has_met(e) && (!first || strcmp(e->path, first) < 0))
            first = e->path;
    return first ? sched_format("what an interleaving does depends on %s, which those before it have left",
                                first)
                 : NULL;
}

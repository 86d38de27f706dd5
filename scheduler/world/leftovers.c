/* SPDX-License-Identifier: BSD-3-Clause */
#include "leftovers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"

static const uint64_t SEVERAL = UINT64_MAX;

struct entry {
    uint64_t name;
    char *path;
    struct sched_leftover found, left;
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
    HASH_ITER (hh, leftovers->entries, e, next) {
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

void sched_leftover_join(struct sched_leftover *leftover, struct sched_leftover more)
{
    leftover->by = both(leftover->by, more.by);
    leftover->exists = leftover->exists || more.exists;
    if (more.low >= more.high)
        return;
    bool any = leftover->low < leftover->high;
    leftover->low = any && leftover->low < more.low ? leftover->low : more.low;
    leftover->high = any && leftover->high > more.high ? leftover->high : more.high;
}

static bool is_all(const struct sched_leftover *l) { return l->low == 0 && l->high == UINT64_MAX; }

/* That a run looks at a name before it makes the file says nothing: mkdtemp by hand, say. */
static bool has_met(const struct entry *e)
{
    const struct sched_leftover *found = &e->found, *left = &e->left;
    return found->by && left->by && (found->by != left->by || found->by == SEVERAL) &&
           (is_all(found) || (found->low < left->high && left->low < found->high) ||
            (found->exists && left->exists));
}

void sched_leftovers_add(struct sched_leftovers **leftovers, uint64_t name, const char *path,
                         struct sched_leftover found, struct sched_leftover left)
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
    sched_leftover_join(&e->found, found);
    sched_leftover_join(&e->left, left);
}

void sched_leftovers_merge(struct sched_leftovers **leftovers, const struct sched_leftovers *more)
{
    for (const struct entry *e = more ? more->entries : NULL; e; e = e->hh.next)
        sched_leftovers_add(leftovers, e->name, e->path, e->found, e->left);
}

/* As text: JSON has no unsigned numbers of this size. */
static json_t *number(uint64_t n)
{
    char text[17];
    snprintf(text, sizeof text, "%" PRIx64, n);
    return json_string(text);
}

static json_t *write_one(const struct sched_leftover *l)
{
    return json_pack("[o, o, o, b]", number(l->by), number(l->low), number(l->high), l->exists);
}

static bool read_one(json_t *json, struct sched_leftover *l)
{
    const char *by, *low, *high;
    int exists;
    if (json_unpack(json, "[s, s, s, b]", &by, &low, &high, &exists) != 0)
        return false;
    *l = (struct sched_leftover){strtoull(by, NULL, 16), strtoull(low, NULL, 16), strtoull(high, NULL, 16),
                                 exists};
    return true;
}

/* A path of which JSON can say nothing is shown as it can be. */
json_t *sched_leftovers_write(const struct sched_leftovers *leftovers)
{
    json_t *all = json_array();
    for (const struct entry *e = leftovers ? leftovers->entries : NULL; e; e = e->hh.next) {
        json_t *path = json_string(e->path);
        json_array_append_new(all, json_pack("[o, o, o, o]", number(e->name), path ? path : json_string("?"),
                                             write_one(&e->found), write_one(&e->left)));
    }
    return all;
}

bool sched_leftovers_read(struct sched_leftovers **leftovers, const json_t *json)
{
    for (size_t i = 0; i < json_array_size(json); i++) {
        const char *name, *path;
        json_t *found_json, *left_json;
        struct sched_leftover found, left;
        json_t *one = json_array_get(json, i);
        if (json_unpack(one, "[s, s, o, o]", &name, &path, &found_json, &left_json) != 0 ||
            !read_one(found_json, &found) || !read_one(left_json, &left))
            return false;
        sched_leftovers_add(leftovers, strtoull(name, NULL, 16), path, found, left);
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

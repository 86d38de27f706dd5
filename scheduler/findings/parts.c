/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of an exploration, made by several processes or in several sittings, are put together as if one
 * search had made them. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/count.h"

static struct sched_moment moment_of(const struct entry *e)
{
    return (struct sched_moment){e->finding.buffered, e->finding.interleaving};
}

/* Its names; caller frees. */
static const char **names_of(const struct sched_findings *findings, const struct entry *e, size_t *n)
{
    const char **keys = sched_alloc(HASH_COUNT(findings->names), sizeof *keys);
    *n = 0;
    for (const struct name *name = findings->names; name; name = name->hh.next)
        if (name->entry == e)
            keys[(*n)++] = name->key;
    return keys;
}

void sched_findings_each_new(const struct sched_findings *findings,
                             bool (*see)(const struct sched_finding *, const char *const *keys, size_t n_keys,
                                         void *),
                             void *data)
{
    /* they are the last ones, but for some that were put together with others */
    for (size_t i = findings->n; i > 0; i--) {
        const struct entry *e = findings->entries[i - 1];
        if (e->hidden || e->run != findings->run || e->before)
            continue;
        size_t n_keys;
        const char **keys = names_of(findings, e, &n_keys);
        see(&e->finding, keys, n_keys, data);
        free(keys);
    }
}

bool sched_findings_each(const struct sched_findings *findings, bool without_run,
                         bool (*see)(const struct sched_finding *, const char *const *keys, size_t n_keys,
                                     void *),
                         void *data)
{
    bool ok = true;
    for (size_t i = 0; ok && i < findings->n; i++) {
        const struct entry *e = findings->entries[i];
        struct sched_finding f = e->finding;
        size_t n_keys;
        const char **keys = names_of(findings, e, &n_keys);
        if (without_run && e->run == findings->run)
            f.count = e->before;
        if (!e->hidden && f.count)
            ok = see(&f, keys, n_keys, data);
        free(keys);
    }
    return ok;
}

/* All of f but what it is a part of: its place in the order, its names, its count. */
static void show(struct entry *e, const struct sched_finding *f)
{
    uint64_t count = e->finding.count;
    sched_finding_finish(&e->finding);
    e->finding = sched_finding_copy(f);
    e->finding.count = count;
}

/* Of the two, the earlier is shown. Only one exploration counts, the one without buffered sends if it has
 * shown it; and a leak counts the handles of one run. */
static void join(struct sched_findings *findings, struct entry *e, const struct sched_finding *f)
{
    struct sched_finding *mine = &e->finding;
    bool earlier =
        sched_moment_compare((struct sched_moment){f->buffered, f->interleaving}, moment_of(e)) < 0;
    bool one = mine->buffered != f->buffered || sched_rule_is_leak(mine->rule);
    uint64_t count = !one ? sched_count_sum(mine->count, f->count) : earlier ? f->count : mine->count;
    if (earlier) {
        struct entry **at = findings->entries, **end = at + findings->n;
        while (*at != e)
            at++;
        /* those of its run come in their order, and are all new */
        memmove(at, at + 1, (size_t)(end - at - 1) * sizeof *at);
        end[-1] = e;
        show(e, f);
    }
    mine->count = count;
}

void sched_findings_merge(struct sched_findings *findings, const struct sched_finding *f,
                          const char *const *keys, size_t n_keys)
{
    struct entry *e = sched_findings_any(findings, keys, n_keys);
    if (e)
        join(findings, e, f);
    else
        e = sched_findings_entry_create(findings, f);
    for (size_t i = 0; i < n_keys; i++)
        if (!sched_findings_name(findings, keys[i]))
            sched_findings_name_add(findings, keys[i], e, i > 0);
}

void sched_findings_sort(struct sched_findings *findings)
{
    for (size_t i = 1; i < findings->n; i++) /* stable; and nearly sorted */
        for (size_t k = i; k > 0 && sched_moment_compare(moment_of(findings->entries[k - 1]),
                                                         moment_of(findings->entries[k])) > 0;
             k--) {
            struct entry *e = findings->entries[k];
            findings->entries[k] = findings->entries[k - 1];
            findings->entries[k - 1] = e;
        }
}

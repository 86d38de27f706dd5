/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `count` counts. Within one interleaving a finding may show many times (a loop), so it is counted
 * once per interleaving; the name of an interleaving tells runs apart. Runs with buffered sends are not
 * counted for a finding that was made without them: they are other interleavings, and are not all explored.
 * Leaks count handles: those of the first interleaving only, since the others leak the same ones again.
 * Wildcards count what they are given: choice points.
 */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct sched_findings *sched_findings_create(void)
{
    return sched_must(calloc(1, sizeof(struct sched_findings)));
}

static void entry_destroy(struct entry *e)
{
    sched_finding_finish(&e->finding);
    free(e->last);
    free(e->told);
    free(e);
}

static void log_end(struct sched_findings *findings, size_t n)
{
    while (findings->n_log > n) {
        struct addition *last = &findings->log[--findings->n_log];
        sched_finding_finish(&last->finding);
        free(last->key);
    }
}

void sched_findings_destroy(struct sched_findings *findings)
{
    if (!findings)
        return;
    struct name *name, *next;
    HASH_ITER (hh, findings->names, name, next) {
        HASH_DEL(findings->names, name);
        free(name->key);
        free(name);
    }
    for (size_t i = 0; i < findings->n; i++)
        entry_destroy(findings->entries[i]);
    log_end(findings, 0);
    free(findings->log);
    for (size_t i = 0; i < findings->n_spans; i++) {
        free(findings->spans[i].first);
        free(findings->spans[i].last);
    }
    free(findings->spans);
    free(findings->entries);
    free(findings->sorted);
    free(findings);
}

/* ---- keys ---- */

static char *default_key(const struct sched_finding *f)
{
    char *key = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&key, &size));
    fprintf(out, "%s", sched_rule_id(f->rule));
    for (size_t i = 0; i < f->n_sites; i++)
        fprintf(out, " %d:%u:" SCHED_KEY_SITE, f->sites[i].rank, f->sites[i].fn, f->sites[i].site);
    if (!f->n_sites) /* then what it says is all that there is */
        fprintf(out, " %s", f->message ? f->message : "");
    fclose(out);
    return sched_must(key);
}

struct name *sched_findings_name(const struct sched_findings *findings, const char *key)
{
    struct name *name;
    HASH_FIND_STR(findings->names, key, name);
    return name;
}

void sched_findings_name_add(struct sched_findings *findings, const char *key, struct entry *entry,
                             bool alias)
{
    struct name *name = sched_must(calloc(1, sizeof *name));
    name->key = sched_strdup(key);
    name->entry = entry;
    name->alias = alias;
    if (!alias && !entry->key)
        entry->key = name->key;
    HASH_ADD_KEYPTR(hh, findings->names, name->key, strlen(name->key), name);
}

struct entry *sched_findings_any(const struct sched_findings *findings, const char *const *keys,
                                 size_t n_keys)
{
    struct name *name = NULL;
    for (size_t i = 0; i < n_keys && !name; i++)
        name = sched_findings_name(findings, keys[i]);
    return name ? name->entry : NULL;
}

/* ---- entries ---- */

struct entry *sched_findings_entry_create(struct sched_findings *findings, const struct sched_finding *f)
{
    if (findings->n == findings->room) {
        findings->room = findings->room ? 2 * findings->room : 16;
        findings->entries = sched_must(realloc(findings->entries, findings->room * sizeof(struct entry *)));
        findings->sorted =
            sched_must(realloc(findings->sorted, findings->room * sizeof(struct sched_finding *)));
    }
    struct entry *e = sched_must(calloc(1, sizeof *e));
    e->finding = sched_finding_copy(f);
    e->n_told_sites = f->n_sites;
    if (!e->finding.count)
        e->finding.count = 1;
    e->last = sched_strdup(f->interleaving ? f->interleaving : "");
    e->run = findings->run;
    findings->entries[findings->n++] = e;
    return e;
}

static bool is_same_site(const struct sched_site_ref *a, const struct sched_site_ref *b)
{
    return a->rank == b->rank && a->site == b->site && a->fn == b->fn;
}

/* Behind those of what is told, by rank: in which order they come depends on time. */
static void add_site(struct entry *e, const struct sched_site_ref *site)
{
    struct sched_finding *f = &e->finding;
    for (size_t i = 0; i < f->n_sites; i++)
        if (is_same_site(&f->sites[i], site))
            return;
    size_t at = f->n_sites;
    while (at > e->n_told_sites && f->sites[at - 1].rank > site->rank)
        at--;
    f->sites = sched_must(realloc(f->sites, (f->n_sites + 1) * sizeof *f->sites));
    memmove(f->sites + at + 1, f->sites + at, (f->n_sites - at) * sizeof *f->sites);
    f->sites[at] = *site;
    f->n_sites++;
}

/* `finding` is what the entry tells from now on. */
static void tell(struct entry *e, const struct sched_finding *finding)
{
    struct sched_finding *f = &e->finding;
    free(f->message);
    free(f->story);
    free(f->sites);
    f->message = sched_strdup(finding->message);
    f->story = sched_strdup(finding->story);
    f->sites = sched_copy(finding->sites, finding->n_sites * sizeof *finding->sites);
    f->n_sites = e->n_told_sites = finding->n_sites;
}

/* Other ranks that show the same thing in the interleaving that is shown. */
static void merge(const struct sched_findings *findings, struct entry *e, const struct sched_finding *finding)
{
    for (size_t i = 0; i < finding->n_ranks; i++)
        sched_finding_add_rank(&e->finding, finding->ranks[i]);
    bool ahead = sched_findings_is_ahead(findings, e, finding);
    struct sched_finding behind = ahead ? sched_finding_copy(&e->finding) : *finding;
    if (ahead)
        tell(e, finding);
    for (size_t i = 0; i < behind.n_sites; i++)
        add_site(e, &behind.sites[i]);
    if (ahead)
        sched_finding_finish(&behind);
}

static bool same_name(const char *a, const struct sched_finding *f)
{
    return strcmp(a ? a : "", f->interleaving ? f->interleaving : "") == 0;
}

/* In the interleaving that is shown. */
static bool same_run(const struct sched_finding *shown, const struct sched_finding *f)
{
    return shown->buffered == f->buffered && same_name(shown->interleaving, f);
}

static void count(struct sched_findings *findings, struct entry *e, const struct sched_finding *f)
{
    struct sched_finding *all = &e->finding;
    uint64_t more = f->count ? f->count : 1;
    if (e->run != findings->run) {
        e->run = findings->run;
        e->before = all->count;
    }
    if (all->buffered != f->buffered)
        return;
    if (sched_rule_is_leak(all->rule)) {
        if (same_run(all, f))
            all->count += more;
    } else if (all->rule == ISP_RULE_WILDCARD) {
        all->count += more;
    } else if (!same_name(e->last, f)) {
        all->count += more;
        free(e->last);
        e->last = sched_strdup(f->interleaving ? f->interleaving : "");
    }
}

static void log_add(struct sched_findings *findings, const char *key, const struct sched_finding *f)
{
    SCHED_GROW(findings->log, findings->n_log);
    findings->log[findings->n_log++] = (struct addition){sched_strdup(key), sched_finding_copy(f)};
}

struct sched_finding *sched_findings_add(struct sched_findings *findings, const char *key,
                                         const struct sched_finding *finding)
{
    char *own = key ? NULL : default_key(finding);
    struct name *name = sched_findings_name(findings, key ? key : own);
    struct entry *e = name ? name->entry : NULL;
    if (!e) {
        e = sched_findings_entry_create(findings, finding);
        sched_findings_name_add(findings, key ? key : own, e, false);
    } else {
        count(findings, e, finding);
        /* an alias comes from another run: its sites would mix two pictures */
        if (!name->alias && same_run(&e->finding, finding))
            merge(findings, e, finding);
    }
    if (findings->logs && finding->rule != ISP_RULE_WILDCARD)
        log_add(findings, key ? key : own, finding);
    e->logged = findings->n_log;
    free(own);
    return &e->finding;
}

/* What it says is said by another one; these are its ranks and places. */
static bool shows_all_of(const struct sched_finding *shown, const struct sched_finding *f)
{
    size_t n_ranks = 0, n_sites = 0;
    for (size_t i = 0; i < f->n_ranks; i++)
        for (size_t k = 0; k < shown->n_ranks; k++)
            n_ranks += shown->ranks[k] == f->ranks[i];
    for (size_t i = 0; i < f->n_sites; i++)
        for (size_t k = 0; k < shown->n_sites; k++)
            n_sites += is_same_site(&shown->sites[k], &f->sites[i]);
    return n_ranks == f->n_ranks && n_sites == f->n_sites;
}

bool sched_findings_count_again(struct sched_findings *findings, const char *key,
                                const struct sched_finding *finding)
{
    struct name *name = sched_findings_name(findings, key);
    if (!name || (findings->logs && finding->rule != ISP_RULE_WILDCARD))
        return false;
    const struct sched_finding *shown = &name->entry->finding;
    if (!name->alias && same_run(shown, finding) &&
        (sched_findings_is_ahead(findings, name->entry, finding) || !shows_all_of(shown, finding)))
        return false;
    count(findings, name->entry, finding);
    name->entry->logged = findings->n_log;
    return true;
}

void sched_findings_log(struct sched_findings *findings)
{
    findings->logs = true;
    log_end(findings, 0);
}

size_t sched_findings_logged(const struct sched_findings *findings) { return findings->n_log; }

void sched_findings_repeat(struct sched_findings *findings, size_t n, const char *interleaving)
{
    log_end(findings, n);
    findings->logs = false;
    for (size_t i = 0; i < n; i++) {
        struct sched_finding again = findings->log[i].finding;
        again.interleaving = (char *)interleaving;
        ((struct entry *)sched_findings_add(findings, findings->log[i].key, &again))->logged = i + 1;
    }
    findings->logs = true;
}

void sched_findings_alias(struct sched_findings *findings, const char *alias, struct sched_finding *entry)
{
    if (!sched_findings_name(findings, alias))
        sched_findings_name_add(findings, alias, (struct entry *)entry, true);
}

const char *sched_findings_key(const struct sched_finding *finding)
{
    return ((const struct entry *)finding)->key;
}

const struct sched_finding *sched_findings_told(const struct sched_findings *findings, const char *key)
{
    struct name *name = sched_findings_name(findings, key);
    const struct entry *e = name ? name->entry : NULL;
    while (e && e->into)
        e = e->into;
    return e && !e->hidden ? &e->finding : NULL;
}

struct sched_finding *sched_findings_find(const struct sched_findings *findings, const char *key)
{
    struct name *name = sched_findings_name(findings, key);
    return name ? &name->entry->finding : NULL;
}

static void become(struct sched_findings *findings, struct entry *e, struct entry *other)
{
    for (struct name *n = findings->names; n; n = n->hh.next)
        if (n->entry == e)
            n->entry = other;
    count(findings, other, &e->finding);
    for (size_t i = 0; i < e->finding.n_ranks; i++)
        sched_finding_add_rank(&other->finding, e->finding.ranks[i]);
    e->hidden = true;
    e->into = other;
}

void sched_findings_relocate(struct sched_findings *findings, struct sched_finding *entry, const char *key,
                             const struct sched_finding *found)
{
    struct name *name = sched_findings_name(findings, key);
    if (name && &name->entry->finding != entry) {
        become(findings, (struct entry *)entry, name->entry);
        return;
    }
    tell((struct entry *)entry, found);
    sched_findings_alias(findings, key, entry);
}

void sched_findings_retell(struct sched_finding *entry, const struct sched_finding *found)
{
    struct entry *e = (struct entry *)entry;
    for (size_t i = 0; e->retold && i < found->n_sites; i++)
        add_site(e, &found->sites[i]);
    if (e->retold)
        return;
    tell(e, found);
    sched_findings_tell_forms(e);
    e->retold = true;
}

static void rename_one(char **name, const char *from, const char *to)
{
    if (!*name || strcmp(*name, from) != 0)
        return;
    free(*name);
    *name = sched_strdup(to);
}

void sched_findings_rename(struct sched_findings *findings, const char *name, const char *full, bool buffered)
{
    for (size_t i = 0; i < findings->n; i++) {
        struct entry *e = findings->entries[i];
        if (e->finding.buffered != buffered)
            continue;
        rename_one(&e->finding.interleaving, name, full);
        rename_one(&e->last, name, full);
    }
}

void sched_findings_drop(struct sched_findings *findings, struct sched_finding *entry)
{
    ((struct entry *)entry)->hidden = true;
}

void sched_findings_drop_for(struct sched_finding *entry, struct sched_finding *into)
{
    ((struct entry *)entry)->hidden = true;
    ((struct entry *)entry)->into = (struct entry *)into;
}

void sched_findings_hide(struct sched_findings *findings,
                         bool (*hides)(const struct sched_finding *finding, void *data), void *data)
{
    for (size_t i = 0; i < findings->n; i++)
        findings->entries[i]->hidden =
            findings->entries[i]->hidden || hides(&findings->entries[i]->finding, data);
}

size_t sched_findings_all(const struct sched_findings *findings, struct sched_finding *const **all)
{
    size_t n = 0;
    for (int severity = ISP_SEVERITY_ERROR; severity <= ISP_SEVERITY_NOTE; severity++)
        for (size_t i = 0; i < findings->n; i++)
            if (!findings->entries[i]->hidden &&
                (int)sched_rule_severity(findings->entries[i]->finding.rule) == severity)
                findings->sorted[n++] = &findings->entries[i]->finding;
    *all = findings->sorted;
    return n;
}

bool sched_findings_have_error(const struct sched_findings *findings)
{
    struct sched_finding *const *all;
    return sched_findings_all(findings, &all) > 0 && sched_rule_severity(all[0]->rule) == ISP_SEVERITY_ERROR;
}

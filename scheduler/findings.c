/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries are kept in the order in which they came; two hash tables' worth of keys (each entry's own, and
 * aliases) lead to them.
 *
 * What `count` counts. Within one interleaving a finding may show many times (a loop), so it is counted
 * once per interleaving; the name of an interleaving tells runs apart. Runs with buffered sends are not counted
 * for a finding that was made without them: they are other interleavings, and are not all explored. Leaks
 * count handles: those of the first interleaving only, since the others leak the same ones again. Wildcards
 * count what they are given: choice points.
 */
#include "findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "alloc.h"
#include "moment.h"

struct entry {
    struct sched_finding finding; /* first: callers hold pointers to it */
    char *last;                   /* the interleaving that was counted last */
    bool hidden;
    uint64_t run;                 /* that changed it last: a number of sched_findings_begin_run */
    uint64_t before;              /* count before that run; 0: the run made it */
    size_t forms, n_told;         /* others with its cause; how many of them read otherwise, ... */
    char *told;                   /* ... of which these are told */
};

struct name {
    char *key;
    struct entry *entry;
    bool alias;
    UT_hash_handle hh;
};

/* Something that was added. */
struct addition {
    char *key;
    struct sched_finding finding; /* strings and arrays of its own */
};

struct sched_findings {
    bool logs;
    struct addition *log;
    size_t n_log;
    struct name *names;
    struct entry **entries; /* in order of arrival */
    struct sched_finding **sorted;
    size_t n, room;
    uint64_t run;
    struct sched_span *spans;
    size_t n_spans;
};

static const struct {
    const char *id;
    enum isp_severity severity;
} rules[] = {
#define ROW(name, id, severity) {id, ISP_SEVERITY_##severity},
    ISP_RULES(ROW)
#undef ROW
};

bool sched_rule_is_leak(enum isp_rule rule)
{
    return rule >= ISP_RULE_LEAK_COMMUNICATOR && rule <= ISP_RULE_LEAK_FILE;
}

enum isp_rule sched_rule_find(const char *id)
{
    int rule = 0;
    while (rule < ISP_RULE_COUNT && strcmp(rules[rule].id, id) != 0)
        rule++;
    return (enum isp_rule)rule;
}

const char *sched_rule_id(enum isp_rule rule) { return rules[rule].id; }
enum isp_severity sched_rule_severity(enum isp_rule rule) { return rules[rule].severity; }

static void *copy(const void *data, size_t bytes)
{
    void *p = sched_must(malloc(bytes ? bytes : 1));
    if (bytes)
        memcpy(p, data, bytes);
    return p;
}

struct sched_findings *sched_findings_create(void) { return sched_must(calloc(1, sizeof(struct sched_findings))); }

static struct sched_finding finding_copy(const struct sched_finding *f)
{
    struct sched_finding c = *f;
    c.message = sched_strdup(f->message ? f->message : "");
    c.story = sched_strdup(f->story ? f->story : "");
    c.interleaving = f->interleaving ? sched_strdup(f->interleaving) : NULL;
    c.ranks = copy(f->ranks, f->n_ranks * sizeof *f->ranks);
    c.sites = copy(f->sites, f->n_sites * sizeof *f->sites);
    c.fate = sched_fate_copy(f->fate);
    c.cause = f->cause ? sched_strdup(f->cause) : NULL;
    return c;
}

void sched_finding_finish(struct sched_finding *f)
{
    free(f->message);
    free(f->story);
    free(f->interleaving);
    free(f->ranks);
    free(f->sites);
    sched_fate_destroy(f->fate);
    free(f->cause);
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
    HASH_ITER(hh, findings->names, name, next) {
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
    fprintf(out, "%s", rules[f->rule].id);
    for (size_t i = 0; i < f->n_sites; i++)
        fprintf(out, " %d:%u:" SCHED_KEY_SITE, f->sites[i].rank, f->sites[i].fn, f->sites[i].site);
    if (!f->n_sites) /* then what it says is all that there is */
        fprintf(out, " %s", f->message ? f->message : "");
    fclose(out);
    return sched_must(key);
}

static struct name *name_find(const struct sched_findings *findings, const char *key)
{
    struct name *name;
    HASH_FIND_STR(findings->names, key, name);
    return name;
}

static void name_add(struct sched_findings *findings, const char *key, struct entry *entry, bool alias)
{
    struct name *name = sched_must(calloc(1, sizeof *name));
    name->key = sched_strdup(key);
    name->entry = entry;
    name->alias = alias;
    HASH_ADD_KEYPTR(hh, findings->names, name->key, strlen(name->key), name);
}

/* ---- entries ---- */

static struct entry *entry_create(struct sched_findings *findings, const struct sched_finding *f)
{
    if (findings->n == findings->room) {
        findings->room = findings->room ? 2 * findings->room : 16;
        findings->entries = sched_must(realloc(findings->entries, findings->room * sizeof(struct entry *)));
        findings->sorted = sched_must(realloc(findings->sorted, findings->room * sizeof(struct sched_finding *)));
    }
    struct entry *e = sched_must(calloc(1, sizeof *e));
    e->finding = finding_copy(f);
    if (!e->finding.count)
        e->finding.count = 1;
    e->last = sched_strdup(f->interleaving ? f->interleaving : "");
    e->run = findings->run;
    findings->entries[findings->n++] = e;
    return e;
}

static void add_rank(struct sched_finding *f, int rank)
{
    size_t at = 0;
    while (at < f->n_ranks && f->ranks[at] < rank)
        at++;
    if (at < f->n_ranks && f->ranks[at] == rank)
        return;
    f->ranks = sched_must(realloc(f->ranks, (f->n_ranks + 1) * sizeof *f->ranks));
    memmove(f->ranks + at + 1, f->ranks + at, (f->n_ranks - at) * sizeof *f->ranks);
    f->ranks[at] = rank;
    f->n_ranks++;
}

static void add_site(struct sched_finding *f, const struct sched_site_ref *site)
{
    for (size_t i = 0; i < f->n_sites; i++)
        if (f->sites[i].rank == site->rank && f->sites[i].site == site->site && f->sites[i].fn == site->fn)
            return;
    f->sites = sched_must(realloc(f->sites, (f->n_sites + 1) * sizeof *f->sites));
    f->sites[f->n_sites++] = *site;
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
    if ((findings->n_log & (findings->n_log - 1)) == 0)
        findings->log = sched_must(realloc(findings->log, (findings->n_log ? 2 * findings->n_log : 1) * sizeof *findings->log));
    findings->log[findings->n_log++] = (struct addition){sched_strdup(key), finding_copy(f)};
}

struct sched_finding *sched_findings_add(struct sched_findings *findings, const char *key,
                                         const struct sched_finding *finding)
{
    char *own = key ? NULL : default_key(finding);
    struct name *name = name_find(findings, key ? key : own);
    struct entry *e = name ? name->entry : NULL;
    if (!e) {
        e = entry_create(findings, finding);
        name_add(findings, key ? key : own, e, false);
    } else {
        count(findings, e, finding);
        /* Other ranks that show the same thing in the interleaving that is shown. An alias comes from
         * another run: its sites would mix two pictures. */
        if (!name->alias && same_run(&e->finding, finding)) {
            for (size_t i = 0; i < finding->n_ranks; i++)
                add_rank(&e->finding, finding->ranks[i]);
            for (size_t i = 0; i < finding->n_sites; i++)
                add_site(&e->finding, &finding->sites[i]);
        }
    }
    if (findings->logs && finding->rule != ISP_RULE_WILDCARD)
        log_add(findings, key ? key : own, finding);
    free(own);
    return &e->finding;
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
        sched_findings_add(findings, findings->log[i].key, &again);
    }
    findings->logs = true;
}

void sched_findings_alias(struct sched_findings *findings, const char *alias, struct sched_finding *entry)
{
    if (!name_find(findings, alias))
        name_add(findings, alias, (struct entry *)entry, true);
}

struct sched_finding *sched_findings_find(const struct sched_findings *findings, const char *key)
{
    struct name *name = name_find(findings, key);
    return name ? &name->entry->finding : NULL;
}

static void become(struct sched_findings *findings, struct entry *e, struct entry *other)
{
    for (struct name *n = findings->names; n; n = n->hh.next)
        if (n->entry == e)
            n->entry = other;
    count(findings, other, &e->finding);
    for (size_t i = 0; i < e->finding.n_ranks; i++)
        add_rank(&other->finding, e->finding.ranks[i]);
    e->hidden = true;
}

void sched_findings_relocate(struct sched_findings *findings, struct sched_finding *entry, const char *key,
                             const struct sched_finding *found)
{
    struct name *name = name_find(findings, key);
    if (name && &name->entry->finding != entry) {
        become(findings, (struct entry *)entry, name->entry);
        return;
    }
    free(entry->message);
    free(entry->story);
    free(entry->sites);
    entry->message = sched_strdup(found->message);
    entry->story = sched_strdup(found->story);
    entry->sites = copy(found->sites, found->n_sites * sizeof *found->sites);
    entry->n_sites = found->n_sites;
    sched_findings_alias(findings, key, entry);
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

/* ---- parts of an exploration ---- */

void sched_findings_begin_run(struct sched_findings *findings) { findings->run++; }

/* ---- fates ---- */

size_t sched_findings_spans(const struct sched_findings *findings, const struct sched_span **spans)
{
    *spans = findings->spans;
    return findings->n_spans;
}

void sched_findings_add_span(struct sched_findings *findings, const struct sched_span *span)
{
    findings->spans = sched_grow(findings->spans, findings->n_spans + 1, sizeof *findings->spans);
    findings->spans[findings->n_spans++] = (struct sched_span){span->buffered, sched_strdup(span->first), sched_strdup(span->last)};
}

static void meet_spans(struct sched_finding *f, const struct sched_findings *of)
{
    for (size_t i = 0; i < of->n_spans; i++)
        if (of->spans[i].buffered == f->buffered) {
            sched_fate_meet(f->fate, f->interleaving, of->spans[i].first);
            sched_fate_meet(f->fate, f->interleaving, of->spans[i].last);
        }
}

/* The runs before it did not show it. */
static void begin_fate(struct sched_findings *findings, struct sched_finding *f, const struct sched_path *path)
{
    unsigned from = 0;
    const char *other;
    f->fate = sched_fate_create();
    meet_spans(f, findings);
    sched_fate_parting(f->fate, f->interleaving, &from, &other);
    f->fate->path = sched_path_copy(path, from);
}

static void extend_spans(struct sched_findings *findings, const struct sched_run_end *end)
{
    struct sched_span *last = findings->n_spans ? &findings->spans[findings->n_spans - 1] : NULL;
    if (!last || end->walk) {
        sched_findings_add_span(findings, &(struct sched_span){end->buffered, (char *)end->name, (char *)end->name});
        return;
    }
    free(last->last);
    last->last = sched_strdup(end->name);
}

void sched_findings_end_run(struct sched_findings *findings, const struct sched_run_end *end)
{
    for (size_t i = 0; i < findings->n; i++) {
        struct entry *e = findings->entries[i];
        struct sched_finding *f = &e->finding;
        bool shown = e->run == findings->run;
        if (!f->interleaving || f->buffered != end->buffered || e->hidden || rules[f->rule].severity == ISP_SEVERITY_NOTE)
            continue;
        if (shown && !e->before)
            begin_fate(findings, f, end->path);
        if (shown && end->counts && f->fate)
            f->fate->shown++;
        else if (!shown && end->finished && f->fate && (end->walk || !f->fate->after))
            sched_fate_meet(f->fate, f->interleaving, end->name);
    }
    if (end->finished)
        extend_spans(findings, end);
}

static struct sched_finding *find_any(const struct sched_findings *findings, const char *const *keys, size_t n_keys)
{
    struct name *name = NULL;
    for (size_t i = 0; i < n_keys && !name; i++)
        name = name_find(findings, keys[i]);
    return name ? &name->entry->finding : NULL;
}

/* The later one's part has shown the finding as well. Before its first run there, its runs have not. */
static void meet_later(struct sched_finding *early, const struct sched_finding *late, const struct sched_findings *of)
{
    struct sched_moment first = {late->buffered, late->interleaving};
    for (size_t i = 0; i < of->n_spans; i++) {
        const struct sched_span *span = &of->spans[i];
        if (span->buffered != early->buffered)
            continue;
        if (sched_moment_compare((struct sched_moment){span->buffered, span->first}, first) < 0)
            sched_fate_meet(early->fate, early->interleaving, span->first);
        if (sched_moment_compare((struct sched_moment){span->buffered, span->last}, first) < 0)
            sched_fate_meet(early->fate, early->interleaving, span->last);
    }
    if (early->buffered != late->buffered)
        return;
    early->fate->shown += late->fate->shown;
    if (late->fate->after)
        sched_fate_meet(early->fate, early->interleaving, late->fate->after);
}

struct meeting {
    struct sched_findings *findings, *more;
};

static bool meet_one(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *context)
{
    struct meeting *m = context;
    struct sched_finding *theirs = find_any(m->more, keys, n_keys), *mine = find_any(m->findings, keys, n_keys);
    if (!theirs || !theirs->fate || (mine && !mine->fate))
        return true;
    if (!mine)
        meet_spans(theirs, m->findings);
    else if (sched_moment_compare((struct sched_moment){mine->buffered, mine->interleaving},
                                  (struct sched_moment){theirs->buffered, theirs->interleaving}) < 0)
        meet_later(mine, theirs, m->more);
    else
        meet_later(theirs, mine, m->findings);
    return true;
}

static bool meet_unknown(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *context)
{
    struct meeting *m = context;
    struct sched_finding *mine = find_any(m->findings, keys, n_keys);
    if (mine && mine->fate && !find_any(m->more, keys, n_keys))
        meet_spans(mine, m->more);
    return true;
}

void sched_findings_meet(struct sched_findings *findings, struct sched_findings *more)
{
    struct meeting m = {findings, more};
    sched_findings_each(more, false, meet_one, &m);
    sched_findings_each(findings, false, meet_unknown, &m);
    for (size_t i = 0; i < more->n_spans; i++)
        sched_findings_add_span(findings, &more->spans[i]);
}

void sched_findings_drop(struct sched_findings *findings, struct sched_finding *entry)
{
    ((struct entry *)entry)->hidden = true;
}

static struct sched_moment moment_of(const struct entry *e)
{
    return (struct sched_moment){e->finding.buffered, e->finding.interleaving};
}

bool sched_findings_each(const struct sched_findings *findings, bool without_run,
                         bool (*see)(const struct sched_finding *, const char *const *keys, size_t n_keys, void *), void *data)
{
    bool ok = true;
    for (size_t i = 0; ok && i < findings->n; i++) {
        const struct entry *e = findings->entries[i];
        struct sched_finding f = e->finding;
        const char **keys = sched_alloc(HASH_COUNT(findings->names), sizeof *keys);
        size_t n_keys = 0;
        for (const struct name *n = findings->names; n; n = n->hh.next)
            if (n->entry == e)
                keys[n_keys++] = n->key;
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
    struct sched_finding *mine = &e->finding;
    uint64_t count = mine->count;
    char *strings[] = {mine->message, mine->story, mine->interleaving};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        free(strings[i]);
    free(mine->ranks);
    free(mine->sites);
    sched_fate_destroy(mine->fate);
    free(mine->cause);
    *mine = *f;
    mine->fate = sched_fate_copy(f->fate);
    mine->cause = f->cause ? sched_strdup(f->cause) : NULL;
    mine->count = count;
    mine->message = sched_strdup(f->message);
    mine->story = sched_strdup(f->story);
    mine->interleaving = f->interleaving ? sched_strdup(f->interleaving) : NULL;
    mine->ranks = copy(f->ranks, f->n_ranks * sizeof *f->ranks);
    mine->sites = copy(f->sites, f->n_sites * sizeof *f->sites);
}

/* Of the two, the earlier is shown. Only one exploration counts, the one without buffered sends if it has shown it; and a leak counts the
 * handles of one run. */
static void join(struct sched_findings *findings, struct entry *e, const struct sched_finding *f)
{
    struct sched_finding *mine = &e->finding;
    bool earlier = sched_moment_compare((struct sched_moment){f->buffered, f->interleaving}, moment_of(e)) < 0;
    bool one = mine->buffered != f->buffered || sched_rule_is_leak(mine->rule);
    uint64_t count = !one ? mine->count + f->count : earlier ? f->count : mine->count;
    if (earlier) {
        struct entry **at = findings->entries, **end = at + findings->n;
        while (*at != e)
            at++;
        memmove(at, at + 1, (size_t)(end - at - 1) * sizeof *at); /* those of its run come in their order, and are all new */
        end[-1] = e;
        show(e, f);
    }
    mine->count = count;
}

void sched_findings_merge(struct sched_findings *findings, const struct sched_finding *f, const char *const *keys, size_t n_keys)
{
    struct entry *e = NULL;
    for (size_t i = 0; i < n_keys && !e; i++) {
        struct name *name = name_find(findings, keys[i]);
        e = name ? name->entry : NULL;
    }
    if (e)
        join(findings, e, f);
    else
        e = entry_create(findings, f);
    for (size_t i = 0; i < n_keys; i++)
        if (!name_find(findings, keys[i]))
            name_add(findings, keys[i], e, i > 0);
}

void sched_findings_sort(struct sched_findings *findings)
{
    for (size_t i = 1; i < findings->n; i++) /* stable; and nearly sorted */
        for (size_t k = i; k > 0 && sched_moment_compare(moment_of(findings->entries[k - 1]), moment_of(findings->entries[k])) > 0; k--) {
            struct entry *e = findings->entries[k];
            findings->entries[k] = findings->entries[k - 1];
            findings->entries[k - 1] = e;
        }
}

/* ---- causes ---- */

enum { SHOWN_FORMS = 3 };

/* The first with this cause, in the order of the search. */
static struct entry *find_cause(const struct sched_findings *findings, const struct entry *before)
{
    const char *cause = before->finding.cause;
    for (size_t i = 0; cause && findings->entries[i] != before; i++) {
        struct entry *e = findings->entries[i];
        if (!e->hidden && e->finding.cause && e->finding.rule == before->finding.rule && strcmp(e->finding.cause, cause) == 0)
            return e;
    }
    return NULL;
}

static const char *without_condition(const char *message)
{
    const char *what = strstr(message, ": ");
    return what ? what + 2 : message;
}

/* "rank 0 waits in MPI_Recv for rank 1, which has finished (interleaving 1)"; not what reads like another one: then it is others who wait elsewhere. */
static void add_form(struct entry *into, const struct sched_finding *f)
{
    const char *what = without_condition(f->message);
    into->forms++;
    if (strcmp(what, without_condition(into->finding.message)) == 0 || (into->told && strstr(into->told, what)))
        return;
    if (into->n_told++ >= SHOWN_FORMS)
        return;
    char *more = sched_format("%s%s%s (interleaving %s%s)", into->told ? into->told : "", into->told ? "; " : "", what, f->interleaving,
                              f->buffered ? " with buffered sends" : "");
    free(into->told);
    into->told = more;
}

static void fold(struct entry *into, struct entry *form)
{
    struct sched_finding *mine = &into->finding;
    const struct sched_finding *other = &form->finding;
    if (mine->buffered == other->buffered) {
        mine->count += other->count;
        if (mine->fate && other->fate)
            mine->fate->shown += other->fate->shown;
    }
    add_form(into, other);
    form->hidden = true;
}

static void tell_forms(struct entry *e)
{
    char *story = sched_format("%sin %zu further form%s%s%s%s\n", e->finding.story, e->forms, e->forms == 1 ? "" : "s", e->told ? ": " : "",
                               e->told ? e->told : ", in which other ranks wait elsewhere", e->n_told > SHOWN_FORMS ? "; ..." : "");
    free(e->finding.story);
    e->finding.story = story;
}

void sched_findings_fold(struct sched_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        struct entry *e = findings->entries[i], *first = e->hidden ? NULL : find_cause(findings, e);
        if (first)
            fold(first, e);
    }
    for (size_t i = 0; i < findings->n; i++)
        if (findings->entries[i]->forms)
            tell_forms(findings->entries[i]);
}

void sched_findings_hide(struct sched_findings *findings, bool (*hides)(const struct sched_finding *finding, void *data), void *data)
{
    for (size_t i = 0; i < findings->n; i++)
        findings->entries[i]->hidden = findings->entries[i]->hidden || hides(&findings->entries[i]->finding, data);
}

size_t sched_findings_all(const struct sched_findings *findings, struct sched_finding *const **all)
{
    size_t n = 0;
    for (int severity = ISP_SEVERITY_ERROR; severity <= ISP_SEVERITY_NOTE; severity++)
        for (size_t i = 0; i < findings->n; i++)
            if (!findings->entries[i]->hidden && (int)rules[findings->entries[i]->finding.rule].severity == severity)
                findings->sorted[n++] = &findings->entries[i]->finding;
    *all = findings->sorted;
    return n;
}

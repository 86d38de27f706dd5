/* SPDX-License-Identifier: BSD-3-Clause */
/* What a trace is given when the exploration is over: places with names, findings, the result. */
#include <stdlib.h>

#include "recorder.h"

/* The name means the same in another process, which can look the place up for itself. */
static void write_site(struct sched_trace *t, uint32_t site, bool resolve)
{
    static const struct sched_location unknown;
    const struct sched_location *at = resolve ? sched_sites_find(t->sites, site) : &unknown;
    char *name = sched_sites_name(t->sites, site);
    const struct sched_value row[] = {
        SCHED_NUMBER(site),       SCHED_TEXT(name),
        SCHED_TEXT(at->file),     at->line ? SCHED_NUMBER(at->line) : SCHED_TEXT(NULL),
        SCHED_TEXT(at->function), SCHED_TEXT(at->module),
        SCHED_NUMBER(at->offset)};
    sched_store_row(t->store, SCHED_TABLE_SITE, row, sizeof row / sizeof *row);
    free(name);
}

static void write_sites(struct sched_trace *t, bool resolve)
{
    for (uint32_t i = 1; i < t->n_occurs; i++)
        if (t->occurs[i])
            write_site(t, i, resolve);
}

static const char *string(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static struct sched_value number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? SCHED_NUMBER(json_integer_value(value)) : SCHED_TEXT(NULL);
}

static void write_finding_site(struct sched_trace *t, size_t finding, size_t position, const json_t *site)
{
    const json_t *stack = json_object_get(site, "stack");
    char *text = stack ? json_dumps(stack, JSON_COMPACT) : NULL;
    const struct sched_value row[] = {SCHED_NUMBER(finding),
                                      SCHED_NUMBER(position),
                                      number(site, "rank"),
                                      SCHED_TEXT(string(site, "call")),
                                      SCHED_TEXT(string(site, "file")),
                                      number(site, "line"),
                                      SCHED_TEXT(string(site, "function")),
                                      SCHED_TEXT(text)};
    sched_store_row(t->store, SCHED_TABLE_FINDING_SITE, row, 8);
    free(text);
}

static void write_finding(struct sched_trace *t, size_t i, const json_t *f)
{
    size_t k;
    const json_t *each;
    const struct sched_value row[] = {SCHED_NUMBER(i),
                                      SCHED_TEXT(string(f, "rule")),
                                      SCHED_TEXT(string(f, "severity")),
                                      SCHED_TEXT(string(f, "message")),
                                      SCHED_TEXT(string(f, "story")),
                                      SCHED_TEXT(string(f, "interleaving")),
                                      SCHED_NUMBER(json_is_true(json_object_get(f, "buffered"))),
                                      number(f, "count"),
                                      SCHED_TEXT(string(f, "replay"))};
    sched_store_row(t->store, SCHED_TABLE_FINDING, row, 9);
    json_array_foreach (json_object_get(f, "ranks"), k, each) {
        const int64_t rank[] = {(int64_t)i, json_integer_value(each)};
        sched_store_numbers(t->store, SCHED_TABLE_FINDING_RANK, rank, 2, 0);
    }
    json_array_foreach (json_object_get(f, "sites"), k, each)
        write_finding_site(t, i, k, each);
}

void sched_trace_printed(struct sched_trace *t, const char *interleaving, bool buffered, const char *text)
{
    int64_t id = sched_store_find(t->store, "SELECT id FROM interleaving WHERE name = ? AND buffered = ?",
                                  interleaving, buffered);
    const struct sched_value row[] = {SCHED_NUMBER(id), SCHED_TEXT(text)};
    if (id >= 0)
        sched_store_row(t->store, SCHED_TABLE_PRINTED, row, 2);
}

static void write_meta(struct sched_trace *t, const char *key, const char *value)
{
    const struct sched_value row[] = {SCHED_TEXT(key), SCHED_TEXT(value)};
    sched_store_row(t->store, SCHED_TABLE_META, row, 2);
}

bool sched_trace_finish(struct sched_trace *t, const json_t *result, const struct sched_findings *findings,
                        const char *report, char **why)
{
    size_t i;
    const json_t *finding;
    json_array_foreach (json_object_get(result, "findings"), i, finding)
        write_finding(t, i + 1, finding);
    sched_trace_write_shown_keys(t, findings);
    write_sites(t, true);
    char *text = json_dumps(result, JSON_COMPACT | JSON_REAL_PRECISION(6));
    write_meta(t, "result", text);
    write_meta(t, "report", report);
    if (t->lacks)
        write_meta(t, "lacks", t->lacks);
    free(text);
    return sched_store_finish(t->store, why);
}

bool sched_trace_finish_part(struct sched_trace *t)
{
    char *why = NULL;
    sched_trace_write_shown_keys(t, NULL);
    write_sites(t, false);
    bool ok = sched_store_finish(t->store, &why);
    free(why);
    return ok;
}

struct sqlite3 *sched_trace_read(struct sched_trace *t, char **why)
{
    return sched_store_read(t->store, why);
}

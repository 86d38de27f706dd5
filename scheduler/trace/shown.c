/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which findings each run has shown. What a finding is in the end is known only when all runs are there:
 * two may turn out to be one, and another one nothing. So a run is told with the keys of its findings, and
 * the keys with the findings.
 */
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/alloc.h"
#include "findings/findings.h"
#include "findings/keys.h"
#include "recorder.h"

struct shown_key {
    char *named;
    int64_t id;
    UT_hash_handle hh;
};

int64_t sched_trace_shown_key(struct sched_trace *t, const char *named)
{
    struct shown_key *key;
    HASH_FIND_STR(t->shown_keys, named, key);
    if (key)
        return key->id;
    key = sched_alloc(1, sizeof *key);
    key->named = sched_strdup(named);
    key->id = HASH_COUNT(t->shown_keys) + 1;
    HASH_ADD_KEYPTR(hh, t->shown_keys, key->named, strlen(key->named), key);
    return key->id;
}

void sched_trace_shows(struct sched_trace *t, const char *key)
{
    if (!t->ended)
        return;
    char *named = sched_findings_key_named(t->sites, key);
    const int64_t row[] = {t->ended, sched_trace_shown_key(t, named)};
    sched_store_numbers(t->store, SCHED_TABLE_SHOWN, row, 2, 0);
    free(named);
}

/* As the result counts them, from 1; NULL: it is none of them. */
static struct sched_value number_of(struct sched_trace *t, const struct sched_findings *findings,
                                    const char *named)
{
    char *key = sched_findings_key_numbered(t->sites, named);
    const struct sched_finding *finding = sched_findings_told(findings, key);
    struct sched_finding *const *all;
    size_t n = sched_findings_all(findings, &all), i = 0;
    while (i < n && all[i] != finding)
        i++;
    free(key);
    return i < n ? SCHED_NUMBER(i + 1) : SCHED_TEXT(NULL);
}

void sched_trace_write_shown_keys(struct sched_trace *t, const struct sched_findings *findings)
{
    struct shown_key *key, *next;
    HASH_ITER (hh, t->shown_keys, key, next) {
        const struct sched_value row[] = {SCHED_NUMBER(key->id), SCHED_TEXT(key->named),
                                          findings ? number_of(t, findings, key->named) : SCHED_TEXT(NULL)};
        sched_store_row(t->store, SCHED_TABLE_SHOWN_KEY, row, 3);
    }
}

void sched_trace_free_shown_keys(struct sched_trace *t)
{
    struct shown_key *key, *next;
    HASH_ITER (hh, t->shown_keys, key, next) {
        HASH_DEL(t->shown_keys, key);
        free(key->named);
        free(key);
    }
}

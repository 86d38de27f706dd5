/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of this folder share. Entries are kept in the order in which they came; a hash table of
 * names (each entry's own key, and aliases) leads to them.
 */
#ifndef SCHED_FINDINGS_TABLE_H
#define SCHED_FINDINGS_TABLE_H

#include <uthash.h>

#include "findings.h"
#include "moment.h"

struct entry {
    struct sched_finding finding; /* first: callers hold pointers to it */
    const char *key;              /* its own; owned by its name */
    struct entry *into;           /* what it is a part of, if it is hidden for that */
    char *last;                   /* the interleaving that was counted last */
    bool hidden;
    bool retold;          /* sched_findings_retell */
    uint64_t run;         /* that changed it last: a number of sched_findings_begin_run */
    uint64_t before;      /* count before that run; 0: the run made it */
    size_t logged;        /* so many were logged when that run showed it last, with this one */
    size_t forms, n_told; /* others with its cause; how many of them read otherwise, ... */
    char *told;           /* ... of which these are told */
    size_t n_told_sites;  /* the sites of what is told; behind them those of other ranks that showed it */
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

struct name *sched_findings_name(const struct sched_findings *findings, const char *key);
void sched_findings_name_add(struct sched_findings *findings, const char *key, struct entry *entry,
                             bool alias);
/* The entry that one of the keys leads to, or NULL. */
struct entry *sched_findings_any(const struct sched_findings *findings, const char *const *keys,
                                 size_t n_keys);
struct entry *sched_findings_entry_create(struct sched_findings *findings,
                                          const struct sched_finding *finding);
/* The line of its story about its forms. */
void sched_findings_tell_forms(struct entry *entry);
/* Of those that the present run has shown first. */
void sched_findings_order_matches(struct sched_findings *findings);
/* Whether what two ranks show at the place of the entry is to be told instead of what it tells. */
bool sched_findings_is_ahead(const struct sched_findings *findings, const struct entry *entry,
                             const struct sched_finding *finding);

#endif

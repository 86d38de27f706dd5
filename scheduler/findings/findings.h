/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the exploration found, each thing once: a finding that several interleavings show is
 * one entry with the first of them and a count.
 */
#ifndef SCHED_FINDINGS_H
#define SCHED_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "finding.h"

struct sched_findings;

/* In a key, a site is written with this format, by which it can be told from other numbers: in a file it gets
 * a name that does not depend on the process. */
#define SCHED_KEY_SITE "\x01%u"

struct sched_findings *sched_findings_create(void);
void sched_findings_destroy(struct sched_findings *findings);

/* Adds a copy of `finding` (its strings and arrays are copied), or counts it if one with the
 * same key is there. key: what makes two findings the same; NULL: rule and all sites with ranks.
 * Returns the entry. */
struct sched_finding *sched_findings_add(struct sched_findings *findings, const char *key,
                                         const struct sched_finding *finding);
/* Counts a finding that is known from another run, or with the same ranks and places from this one, and adds
 * nothing to what is said of it; of `finding` the rule, the count, the run, ranks and places are looked at.
 * False: it is new, or is to be added as it is. */
bool sched_findings_count_again(struct sched_findings *findings, const char *key,
                                const struct sched_finding *finding);
/* The entry with this key, or NULL. */
struct sched_finding *sched_findings_find(const struct sched_findings *findings, const char *key);
/* From here on it is remembered what is added. */
void sched_findings_log(struct sched_findings *findings);
size_t sched_findings_logged(const struct sched_findings *findings);
/* Another interleaving shows the first n that were added since, and nothing else so far; the log goes on from
 * there. Wildcards count choice points, and those are the same: they are not counted again. */
void sched_findings_repeat(struct sched_findings *findings, size_t n, const char *interleaving);
/* It is known better now what and where the entry is: as in `found`, which has the other key. If there is an
 * entry with that key already, both become one. */
void sched_findings_relocate(struct sched_findings *findings, struct sched_finding *entry, const char *key,
                             const struct sched_finding *found);
/* The same, as a run with callers tells it (explore/callers.h). Several of one entry are the ways to its
 * place: then the first is told, with the places of all. */
void sched_findings_retell(struct sched_finding *entry, const struct sched_finding *found);
/* From now on findings with key `alias` count as the entry (a deadlock that a second run of the same
 * decisions, with buffering, shows at other sites). */
void sched_findings_alias(struct sched_findings *findings, const char *alias, struct sched_finding *entry);
/* The run that was called `name` so far is called `full`. */
void sched_findings_rename(struct sched_findings *findings, const char *name, const char *full,
                           bool buffered);
/* In the order of the search, when all are there: of those with one cause the first is told, the others are
 * forms of it. No run may show two of them, and none that shows one may be a finished one: then their counts
 * add up, and the first one's fate is that of all. */
void sched_findings_fold(struct sched_findings *findings);
/* After that: one that explains others comes before these. */
void sched_findings_put_causes_first(struct sched_findings *findings);
/* From now on those that `hides` is true for are not in sched_findings_all. */
void sched_findings_hide(struct sched_findings *findings,
                         bool (*hides)(const struct sched_finding *finding, void *data), void *data);
/* In the order in which they were found, errors before warnings before notes. */
size_t sched_findings_all(const struct sched_findings *findings, struct sched_finding *const **all);
bool sched_findings_have_error(const struct sched_findings *findings);

/* A run begins. */
void sched_findings_begin_run(struct sched_findings *findings);

struct sched_run_end {
    const char *name;
    bool buffered;
    bool counts;                   /* it is an interleaving */
    bool finished;                 /* ... and has come to its end */
    bool walk;                     /* runs come in any order, not in that of the search */
    const struct sched_path *path; /* its decisions, or NULL */
    /* 0: one, its own; or it ended where another run had been, and stands for so many interleavings, of which
     * `below` show findings that it has not come to itself */
    uint64_t stands_for;
    const struct sched_below *below;
    size_t n_below;
};

/* A finding that some interleavings show behind a state that is known. */
struct sched_below {
    struct sched_finding *finding;
    uint64_t interleavings;
    const char *without; /* the name of one that finishes without it; NULL: none does */
};

/* It is over: for the fate of what it has shown, and of what it has not. */
void sched_findings_end_run(struct sched_findings *findings, const struct sched_run_end *end);
/* Those that the present run has shown since so many were logged; not notes. */
void sched_findings_each_since(const struct sched_findings *findings, size_t logged,
                               void (*see)(struct sched_finding *finding, void *data), void *data);
/* Those that the present run has shown; not notes. */
void sched_findings_each_shown(const struct sched_findings *findings,
                               void (*see)(const struct sched_finding *finding, void *data), void *data);
/* Its own key. */
const char *sched_findings_key(const struct sched_finding *finding);
/* What is told in the end of what was shown by this key; NULL: nothing. */
const struct sched_finding *sched_findings_told(const struct sched_findings *findings, const char *key);
/* Forgets the entry; or, the second one, since it is a part of another one. */
void sched_findings_drop(struct sched_findings *findings, struct sched_finding *entry);
void sched_findings_drop_for(struct sched_finding *entry, struct sched_finding *into);
/* Each entry in the order of their arrival, with its names (its own first), as long as `see` says true;
 * without_run: as they were before the present run began. False if it was ended. */
bool sched_findings_each(const struct sched_findings *findings, bool without_run,
                         bool (*see)(const struct sched_finding *finding, const char *const *keys,
                                     size_t n_keys, void *data),
                         void *data);
/* Those that the present run has been the first to show. */
void sched_findings_each_new(const struct sched_findings *findings,
                             bool (*see)(const struct sched_finding *finding, const char *const *keys,
                                         size_t n_keys, void *data),
                             void *data);
/* The finished runs of which the fates know. */
size_t sched_findings_spans(const struct sched_findings *findings, const struct sched_span **spans);
/* Adds one (which is copied). */
void sched_findings_add_span(struct sched_findings *findings, const struct sched_span *span);
/* Before the findings of two parts are put together: each part's runs are met by the fates of the other's. */
void sched_findings_meet(struct sched_findings *findings, struct sched_findings *more);
/* Adds what another part of the exploration, of other runs, has found. */
void sched_findings_merge(struct sched_findings *findings, const struct sched_finding *finding,
                          const char *const *keys, size_t n_keys);
/* Brings the entries into the order in which one search would find them (moment.h). */
void sched_findings_sort(struct sched_findings *findings);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace of an exploration: every call, match and decision of every interleaving, in an SQLite database
 * (docs/trace.md), from which each report can be made afterwards. What several interleavings share is written
 * once (schema.c).
 *
 * It is told what happens as it happens, also where a run repeats decisions that it knows already: then it
 * does not listen.
 */
#ifndef SCHED_TRACE_H
#define SCHED_TRACE_H

#include <jansson.h>

#include "run/run.h"
#include "sites/sites.h"

struct sched_findings;
struct sched_trace;
struct sqlite3;

/* It will be written beside `file`, and gets that name when it is whole. Without a file it is for the reports
 * of this isp only. NULL, and why (caller frees), if it cannot be. */
struct sched_trace *sched_trace_create(const char *file, struct sched_sites *sites, char **why);
/* Without sched_trace_finish: nothing is left of it. */
void sched_trace_destroy(struct sched_trace *trace);

/* It listens while the ranks run. */
extern const struct sched_listener sched_trace_listener;

/* A choice point: the node that it ends. Node 0: none. */
struct sched_trace_place {
    int64_t node;
    char *interleaving; /* the run that came there first, as it was called; owned by whoever keeps it */
};

/* Where the present run is. */
int64_t sched_trace_node(const struct sched_trace *trace);
/* The present run, which is about to end, is merged: what comes after its end is known from `place`, and
 * stands for so many interleavings. */
void sched_trace_join(struct sched_trace *trace, const struct sched_trace_place *place, uint64_t stands_for);

/* The run that has just ended has shown a finding with this key. */
void sched_trace_shows(struct sched_trace *trace, const char *key);

/* ---- when all is over ---- */

/* What the program prints in this interleaving, of which it has the calls. */
void sched_trace_printed(struct sched_trace *trace, const char *interleaving, bool buffered,
                         const char *text);

/* Adds the result (as --json, with all of `findings`) and the report as it was printed, and puts the file
 * into its place. False, and why (caller frees), if that, or anything before, has failed. */
bool sched_trace_finish(struct sched_trace *trace, const json_t *result,
                        const struct sched_findings *findings, const char *report, char **why);

/* The finished trace, for reports; it lives as long as `trace`. NULL, and why (caller frees), if it cannot be
 * read. */
struct sqlite3 *sched_trace_read(struct sched_trace *trace, char **why);

/* ---- several processes, several sittings ---- */

/* What another process sees, in a file of its own beside that of `whole`. NULL: there can be none. */
struct sched_trace *sched_trace_create_part(const struct sched_trace *whole, unsigned number,
                                            struct sched_sites *sites);
char *sched_trace_part_file(const struct sched_trace *whole, unsigned number);
/* In that process, when it has seen all. */
bool sched_trace_finish_part(struct sched_trace *part);
/* Adds what the file has (a part, or a whole trace) of which it has nothing yet. False: it is damaged, or no
 * trace. */
bool sched_trace_merge(struct sched_trace *trace, const char *file);
/* For --resume: adds what the trace of the sittings before has, which lies where this one will. */
void sched_trace_go_on(struct sched_trace *trace, const struct sched_options *options);
/* Something is not in it: a sentence for the user, which the trace keeps too. The first one stands. */
void sched_trace_lack(struct sched_trace *trace, const char *what);
const char *sched_trace_lacks(const struct sched_trace *trace);

#endif

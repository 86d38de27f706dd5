/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings that the user does not want to hear of: blocks of a rule and frames, from the files that
 * --suppressions names (docs/suppressions.md). A block covers a finding if its patterns fit the rule, the
 * message, and the place at which the finding is shown, with its callers as far as they are known.
 */
#ifndef SCHED_SUPPRESSIONS_H
#define SCHED_SUPPRESSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings.h"
#include "sites/sites.h"

/* The first line of such a file. */
#define SCHED_SUPPRESSIONS_HEAD "isp-suppressions"
enum { SCHED_SUPPRESSIONS_VERSION = 1 };

/* Patterns for one frame of a stack, as fnmatch(3) has them; NULL: anything. */
struct sched_frame_pattern {
    bool any_number; /* "...": any number of frames, also none */
    char *call, *function, *file, *object;
    int line; /* of `file`; 0: any */
};

struct sched_suppression {
    char *name, *rule, *text;
    const char *file; /* where the block stands */
    int line;
    struct sched_frame_pattern *frames; /* the innermost first */
    size_t n_frames;
    uint64_t used; /* findings that it covered */
};

struct sched_suppressions {
    char **files;
    size_t n_files;
    struct sched_suppression *blocks;
    size_t n_blocks;
    uint64_t suppressed; /* errors and warnings */
};

struct sched_suppressions *sched_suppressions_create(void);
void sched_suppressions_destroy(struct sched_suppressions *all);

/* Adds the blocks of a file. NULL, or one line that says what is wrong and where; caller frees. */
char *sched_suppressions_read(struct sched_suppressions *all, const char *file);

/* Whether one does; it is not counted. */
bool sched_suppressions_cover(const struct sched_suppressions *all, const struct sched_finding *finding,
                              struct sched_sites *sites);

/* Takes what is covered out of the findings, and counts. `unsupported` is a verdict, and stays. */
void sched_suppressions_apply(struct sched_suppressions *suppressions, struct sched_findings *findings,
                              struct sched_sites *sites);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings are told when they are found, if the search takes long enough for that to matter: a line each,
 * each once. The report at the end has all of them, as they have turned out. */
#ifndef SCHED_FOUND_H
#define SCHED_FOUND_H

#include "result.h"

struct sched_found {
    bool on;       /* they are told */
    double from_s; /* not before (sched_now_s): a short search has its report soon enough */
    char **lines;  /* all so far ... */
    size_t n, told;
    size_t errors, warnings; /* ... by their severity */
};

/* Not with -q. */
void sched_found_init(struct sched_found *found, bool quiet, double started_s);
void sched_found_finish(struct sched_found *found);

/* Errors and warnings that the run has been the first to show which has just ended; none that are
 * suppressed. */
void sched_found_each(const struct sched_result *result,
                      void (*see)(enum isp_severity severity, const char *line, void *data), void *data);
void sched_found_add(struct sched_found *found, enum isp_severity severity, const char *line);
/* On stderr, those that were not told, if it is time. */
void sched_found_tell(struct sched_found *found);

#endif

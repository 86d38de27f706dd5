/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "bounds.h"
#include "base/now.h"
#include "words/wrap.h"

void sched_progress_init(struct sched_progress *progress, bool quiet)
{
    const char *term = getenv("TERM");
    *progress = (struct sched_progress){.on = !quiet && isatty(2) && term && strcmp(term, "dumb") != 0,
                                        .started_s = sched_now_s()};
}

void sched_progress_show(struct sched_progress *progress, uint64_t done, size_t frontier, double estimate)
{
    double now = progress->on ? sched_now_s() : 0;
    if (!progress->on || now < progress->next_s)
        return;
    double seconds = now - progress->started_s;
    char *about = sched_bounds_about(estimate, done);
    char *line = sched_format("isp: %" PRIu64 "%s%s interleavings done, frontier %zu, %.1f/s", done,
                              about ? " of " : "", about ? about : "", frontier,
                              seconds > 0 ? (double)done / seconds : 0.0);
    /* a second line could not be taken back */
    int columns = sched_terminal_columns(stderr), room = columns ? columns - 1 : (int)strlen(line);
    fprintf(stderr, "\r\033[K%.*s", room, line);
    free(line);
    free(about);
    progress->next_s = now + 0.2;
    progress->shown = true;
}

void sched_progress_clear(struct sched_progress *progress)
{
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

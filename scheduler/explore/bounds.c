/* SPDX-License-Identifier: BSD-3-Clause */
#include "bounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/now.h"
#include "same_end.h"

struct poe_search_bounds sched_bounds_of_search(const struct sched_options *o)
{
    return (struct poe_search_bounds){.mixed = o->mix >= 0,
                                      .mix = o->mix < 0 ? 0 : (unsigned)o->mix,
                                      .random = o->sample > 0,
                                      .seed = o->seed};
}

bool sched_bounds_in_time(const struct sched_options *o, double started_s)
{
    return o->max_time_s == 0 || sched_now_s() - started_s < o->max_time_s;
}

enum sched_stop sched_bounds_reached(const struct sched_result *r, uint64_t other_runs, double started_s,
                                     uint64_t walks)
{
    const struct sched_options *o = r->options;
    if (o->stop_at_first &&
        (sched_findings_have_error(r->findings) || (r->predicted && sched_findings_have_error(r->predicted))))
        return SCHED_STOP_FIRST;
    if (o->max_interleavings && r->runs + other_runs >= o->max_interleavings)
        return SCHED_STOP_INTERLEAVINGS;
    if (o->sample && walks >= o->sample)
        return SCHED_STOP_SAMPLE;
    return sched_bounds_in_time(o, started_s) ? SCHED_STOP_NONE : SCHED_STOP_TIME;
}

/* A job that nobody has begun counts as much as the mean of those that somebody has. */
static double estimate(double leaves, uint64_t interleavings, uint64_t begun, uint64_t waiting)
{
    double all = begun ? leaves + leaves / (double)begun * (double)waiting : leaves;
    return interleavings && interleavings != SCHED_COUNT_MOST && all > (double)interleavings + 0.5 ? all : 0;
}

void sched_bounds_tell(struct sched_result *r, enum sched_stop stop, uint64_t waiting,
                       uint64_t buffered_waiting)
{
    r->left_out.stop = stop;
    r->left_out.open += waiting + buffered_waiting;
    r->left_out.buffered = stop && sched_result_goes_on(r);
    r->estimate = estimate(r->leaves, r->interleavings, r->jobs, waiting);
    r->buffered_estimate =
        estimate(r->buffered_leaves, r->buffered_interleavings, r->buffered_jobs, buffered_waiting);
}

static void put_stop(FILE *out, const struct sched_result *r)
{
    const struct sched_options *o = r->options;
    switch (r->left_out.stop) {
    case SCHED_STOP_NONE: return;
    case SCHED_STOP_TIME: fprintf(out, "%g s (--max-time) are over; ", o->max_time_s); break;
    case SCHED_STOP_INTERLEAVINGS:
        fprintf(out, "--max-interleavings %" PRIu64 "; ", o->max_interleavings);
        break;
    case SCHED_STOP_FIRST: fputs("an error was found (--stop-at-first); ", out); break;
    case SCHED_STOP_SAME: {
        char *same = sched_same_end(r);
        fprintf(out, "all interleavings so far end in the same %s (--keep-going explores the others); ",
                same ? same : "error");
        free(same);
        break;
    }
    case SCHED_STOP_SAMPLE: fprintf(out, "--sample %" PRIu64 ", taken at random; ", o->sample); break;
    }
}

static void put_choice_points(FILE *out, uint64_t n, const char *why)
{
    if (n)
        fprintf(out, "%s first alternative only at %" PRIu64 " choice point%s; ", why, n, n == 1 ? "" : "s");
}

char *sched_bounds_words(const struct sched_result *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    put_stop(out, r);
    char *mix = sched_format("--mix %d:", r->options->mix);
    put_choice_points(out, r->left_out.mixing, mix);
    put_choice_points(out, r->left_out.loops, "loops:");
    if (r->left_out.buffered)
        fputs("none explored with buffered sends, which could matter; ", out);
    free(mix);
    fclose(out);
    sched_must(text);
    if (size)
        text[size - 2] = '\0';
    else
        free(text);
    return size ? text : NULL;
}

/* One digit, and two below a thousand: it is no better than that. */
char *sched_bounds_about(double estimate, uint64_t explored)
{
    if (!(estimate >= 1.1 * (double)explored + 0.5))
        return NULL;
    if (estimate > 1e300)
        return sched_strdup("more than 1e300");
    if (estimate < 1000)
        return sched_format("about %.0f",
                            estimate < 100 ? estimate : 10 * (double)(int)(estimate / 10 + 0.5));
    int exponent = 0;
    for (; estimate >= 9.5; exponent++)
        estimate /= 10;
    return sched_format("about %.0fe%d", estimate, exponent);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "bounds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "alloc.h"
#include "now.h"

struct poe_search_bounds sched_bounds_of_search(const struct sched_options *o)
{
    return (struct poe_search_bounds){.mixed = o->mix >= 0, .mix = o->mix < 0 ? 0 : (unsigned)o->mix,
                                      .random = o->sample > 0, .seed = o->seed};
}

bool sched_bounds_in_time(const struct sched_options *o, double started_s)
{
    return o->max_time_s == 0 || sched_now_s() - started_s < o->max_time_s;
}

/* Errors come before all other findings. */
static bool has_error(const struct sched_result *r)
{
    struct sched_finding *const *all;
    return sched_findings_all(r->findings, &all) > 0 && sched_rule_severity(all[0]->rule) == ISP_SEVERITY_ERROR;
}

enum sched_stop sched_bounds_reached(const struct sched_result *r, double started_s, uint64_t explored)
{
    const struct sched_options *o = r->options;
    if (o->stop_at_first && has_error(r))
        return SCHED_STOP_FIRST;
    if (o->max_interleavings && r->interleavings + r->buffered_interleavings >= o->max_interleavings)
        return SCHED_STOP_INTERLEAVINGS;
    if (o->sample && explored >= o->sample)
        return SCHED_STOP_SAMPLE;
    return sched_bounds_in_time(o, started_s) ? SCHED_STOP_NONE : SCHED_STOP_TIME;
}

void sched_bounds_take(struct sched_result *r, const struct poe_search *search, enum sched_stop stop, bool buffered_too)
{
    struct poe_left_out left = poe_search_left_out(search);
    uint64_t open = poe_search_frontier(search);
    r->left_out.mixing += left.mixing;
    r->left_out.loops += left.loops;
    r->left_out.open += open;
    if (stop)
        r->left_out.stop = stop;
    if (left.mixing || left.loops || open || stop)
        *(buffered_too ? &r->buffered_estimate : &r->estimate) = poe_search_estimate(search);
}

static void put_stop(FILE *out, const struct sched_result *r)
{
    const struct sched_options *o = r->options;
    switch (r->left_out.stop) {
    case SCHED_STOP_NONE: return;
    case SCHED_STOP_TIME: fprintf(out, "%g s (--max-time) are over; ", o->max_time_s); break;
    case SCHED_STOP_INTERLEAVINGS: fprintf(out, "--max-interleavings %" PRIu64 "; ", o->max_interleavings); break;
    case SCHED_STOP_FIRST: fputs("an error was found (--stop-at-first); ", out); break;
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
        return sched_format("about %.0f", estimate < 100 ? estimate : 10 * (double)(int)(estimate / 10 + 0.5));
    int exponent = 0;
    for (; estimate >= 9.5; exponent++)
        estimate /= 10;
    return sched_format("about %.0fe%d", estimate, exponent);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* See more_polls.h. */
#include "more_polls.h"

#include <string.h>

#include "base/interrupt.h"
#include "base/now.h"
#include "check/untried.h"
#include "findings/findings.h"
#include "run/merges.h"

static const unsigned more[] = {3, 10, 30, 100};
static const double AT_LEAST_S = 20;

/* All that is wrong with the search. */
static bool lacks_polls(const struct sched_result *r)
{
    return r->incomplete_because && strstr(r->incomplete_because, SCHED_UNTRIED_COUNTED) && !r->unsupported &&
           !r->left_out.stop && !r->left_out.open && !r->left_out.loops && !r->left_out.buffered;
}

bool sched_more_polls_helps(const struct sched_result *r)
{
    const struct sched_options *o = r->options;
    bool whole = !o->slurm && !o->slurm_task && !o->save && !o->saved && !o->max_interleavings;
    return lacks_polls(r) && whole && sched_run_merges(o) && !sched_findings_have_error(r->findings);
}

double sched_more_polls_time_s(const struct sched_result *r)
{
    return r->seconds > AT_LEAST_S ? r->seconds : AT_LEAST_S;
}

bool sched_more_polls_next(struct sched_options *o, double until_s)
{
    size_t i = 0;
    while (i < sizeof more / sizeof *more && more[i] <= o->polls)
        i++;
    if (i == sizeof more / sizeof *more || sched_now_s() >= until_s || sched_interrupt_came())
        return false;
    double max_s = until_s - o->begun_s;
    if (o->max_time_s == 0 || o->max_time_s > max_s)
        o->max_time_s = max_s;
    o->polls = more[i];
    o->predict = "off";
    o->again = true; /* what the program prints was shown */
    return true;
}

bool sched_more_polls_judge(struct sched_result *result, struct sched_result *deeper)
{
    if (deeper->incomplete_because && !sched_findings_have_error(deeper->findings)) {
        if (lacks_polls(deeper))
            result->more_polls = deeper->options->polls;
        return false;
    }
    struct sched_result was = *result;
    *result = *deeper;
    *deeper = was;
    if (result->incomplete_because) { /* perhaps that its time was over, of which the user knows nothing */
        deeper->incomplete_because = result->incomplete_because;
        result->incomplete_because = was.incomplete_because;
        result->left_out = was.left_out;
    }
    return true;
}

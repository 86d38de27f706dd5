/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What to do when there is more than can be explored. A library that polls its requests (BLACS tests the
 * buffers that it has sent, at every call) doubles the number of interleavings with each poll, though the
 * answer rarely matters to it. Who meets that needs to hear of --polls 0: at a library's poll nothing in the
 * program's own text hints at it. Otherwise the place that has most of the choice points is named, and what
 * explores less.
 */
#include "advice.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "isp/functions.h"
#include "base/alloc.h"
#include "words/words.h"

static bool is_poll(const struct sched_finding *f)
{
    switch (f->n_sites ? f->sites[0].fn : 0) {
    case ISP_FN_MPI_Test:
    case ISP_FN_MPI_Testall:
    case ISP_FN_MPI_Testany:
    case ISP_FN_MPI_Testsome:
    case ISP_FN_MPI_Iprobe:
    case ISP_FN_MPI_Improbe:
    case ISP_FN_MPI_Request_get_status: return true;
    default: return false;
    }
}

/* The choice points by their notes. */
struct tally {
    uint64_t all, polls;
    const struct sched_finding *most, *most_polls; /* the place of most of them */
};

static void add(uint64_t *sum, const struct sched_finding **most, const struct sched_finding *f)
{
    *sum += f->count;
    if (!*most || f->count > (*most)->count)
        *most = f;
}

static struct tally count_choices(const struct sched_result *result)
{
    struct sched_finding *const *all;
    size_t n = sched_findings_all(result->findings, &all);
    struct tally t = {0};
    for (size_t i = 0; i < n; i++) {
        if (all[i]->rule != ISP_RULE_WILDCARD || !all[i]->n_sites)
            continue;
        add(&t.all, &t.most, all[i]);
        if (is_poll(all[i]))
            add(&t.polls, &t.most_polls, all[i]);
    }
    return t;
}

static char *advise_polls(const struct tally *t)
{
    return sched_format("%" PRIu64 " of %" PRIu64
                        " choice points are polls, most of them %s: with --polls 0 they wait until "
                        "they succeed, in fewer interleavings",
                        t->polls, t->all, isp_fn_name((enum isp_fn)t->most_polls->sites[0].fn));
}

/* It was to be explored as a whole, and there is much more than was. */
static bool is_too_much(const struct sched_result *r)
{
    const struct sched_options *o = r->options;
    bool whole = !o->sample && o->mix < 0 && !o->loops && r->left_out.stop != SCHED_STOP_FIRST;
    return whole && r->left_out.open && r->estimate >= 10 * (double)r->interleavings;
}

static char *advise_bounds(const struct sched_result *r, const struct tally *t)
{
    const struct sched_site_ref *site = &t->most->sites[0];
    const char *function = sched_sites_find(r->sites, site->site)->function;
    char *place = sched_sites_words(r->sites, site->site);
    char *loop =
        function && strcmp(function, "main") != 0 ? sched_format(", --loop %s", function) : sched_strdup("");
    char *text =
        sched_format("%" PRIu64 " of %" PRIu64
                     " choice points are %s at %s. Too many to explore: fewer ranks or a smaller input help "
                     "most; else --sample N, --mix K%s (man isp: BOUNDS)",
                     t->most->count, t->all, isp_fn_name((enum isp_fn)site->fn), place, loop);
    free(loop);
    free(place);
    return text;
}

char *sched_advice(const struct sched_result *result)
{
    if (!result->incomplete_because || result->unsupported || result->options->replay)
        return NULL;
    struct tally t = count_choices(result);
    if (t.polls && t.polls * 2 >= t.all && result->options->polls)
        return advise_polls(&t);
    return t.most && is_too_much(result) ? advise_bounds(result, &t) : NULL;
}

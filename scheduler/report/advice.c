/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What to do when there is more than can be explored. If the search was cut short: which call site multiplies
 * the interleavings most, and the option after which the same bound would do, of those the one that keeps
 * most; as measured by the search itself (poe/FACTORS.md). Else, where most choice points are polls,
 * --polls 0 is named: at a library's poll nothing in the program's own text hints at it; and more polls, if
 * only how often they fail was left out.
 */
#include "advice.h"

#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "isp/functions.h"
#include "base/alloc.h"
#include "check/untried.h"
#include "explore/bounds.h"
#include "words/words.h"

static const double LEAST_FACTOR = 2; /* less is no help */

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

/* The search ended before it was over. */
static bool is_cut_short(const struct sched_result *r)
{
    return r->incomplete_because && !r->unsupported && !r->options->replay &&
           (r->left_out.stop ? r->left_out.stop != SCHED_STOP_FIRST && r->left_out.stop != SCHED_STOP_SAME
                             : r->left_out.open);
}

/* The choice points by their notes. */
struct tally {
    uint64_t all, polls;
    const struct sched_finding *most_polls; /* the place of most of them */
};

static struct tally count_choices(const struct sched_result *result)
{
    struct sched_finding *const *all;
    size_t n = sched_findings_all(result->findings, &all);
    struct tally t = {0};
    for (size_t i = 0; i < n; i++) {
        if (all[i]->rule != ISP_RULE_WILDCARD || !all[i]->n_sites)
            continue;
        t.all += all[i]->count;
        if (!is_poll(all[i]))
            continue;
        t.polls += all[i]->count;
        if (!t.most_polls || all[i]->count > t.most_polls->count)
            t.most_polls = all[i];
    }
    return t;
}

enum { MORE_POLLS = 3 }; /* times as many: what differs for a library is often all shown by that */

/* Nothing else was left out, or NULL. */
static char *advise_more(const struct sched_result *r)
{
    if (is_cut_short(r) || !strstr(r->incomplete_because, SCHED_UNTRIED_POLLS))
        return NULL;
    unsigned tried = r->more_polls ? r->more_polls : r->options->polls;
    return sched_format("; with --polls %u each may fail more often, which may be all", MORE_POLLS * tried);
}

static char *advise_polls(const struct sched_result *r, const struct tally *t)
{
    char *more = advise_more(r);
    char *text = sched_format(
        "%" PRIu64 " of %" PRIu64 " choice points are polls, most of them %s: with --polls 0 they wait until "
        "they succeed, in fewer interleavings%s",
        t->polls, t->all, isp_fn_name((enum isp_fn)t->most_polls->sites[0].fn), more ? more : "");
    free(more);
    return text;
}

/* Where no place multiplies the interleavings; of what was not given yet. NULL: nothing. */
static char *advise_time(const struct sched_options *o)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    bool jobs = n > 1 && o->workers < 2 && !o->sample, save = !o->save && !o->sample;
    char *first = jobs ? sched_format("-j auto explores with %d processes at a time", n) : NULL, *text = NULL;
    if (save)
        text = sched_format("%s%s--save FILE keeps the state, and --resume FILE goes on later",
                            first ? first : "", first ? "; " : "");
    if (!text)
        return first;
    free(first);
    return text;
}

/* ---- what multiplies the interleavings ---- */

static const struct sched_order *find_most(const struct sched_orders *o)
{
    const struct sched_order *most = NULL;
    for (size_t i = 0; i < o->n; i++)
        if (o->classes[i].class.fn && (!most || o->classes[i].left < most->left))
            most = &o->classes[i];
    return most;
}

/* The function that --loop can name, or NULL. All of main is the whole program. */
static const char *function_of(const struct sched_result *r, const struct sched_order *most)
{
    const char *function = sched_sites_find(r->sites, most->class.site)->function;
    bool whole = function && (strcmp(function, "main") == 0 || strcmp(function, "MAIN__") == 0);
    return whole ? NULL : function;
}

/* `option` would leave so many. The first one offered that leaves no more than were explored stays, else the
 * one that leaves the fewest; those that do not halve them are none. Takes the option. */
static void offer(struct sched_most *m, double explored, char *option, bool at_most, double leaves)
{
    if (leaves < 1)
        leaves = 1;
    if (leaves * LEAST_FACTOR > m->of || (m->option && (m->leaves <= explored || m->leaves <= leaves))) {
        free(option);
        return;
    }
    free(m->option);
    m->option = option;
    m->leaves = leaves;
    m->at_most = at_most;
}

/* What keeps most comes first. */
static void offer_all(struct sched_most *m, const struct sched_result *r, const struct sched_orders *o,
                      double scale, double explored)
{
    const char *function = function_of(r, m->order);
    if (r->options->polls)
        offer(m, explored, sched_strdup("--polls 0"), false, o->shares[POE_SHARE_NO_POLLS] * scale);
    for (int mix = 2; mix >= 0; mix--)
        if (r->options->mix < 0 || mix < r->options->mix)
            offer(m, explored, sched_format("--mix %d", mix), false,
                  o->shares[POE_SHARE_MIX_0 + mix] * scale);
    if (function)
        offer(m, explored, sched_format("--loop %s", function), true, m->order->left * scale);
}

bool sched_most_find(const struct sched_result *r, struct sched_most *m)
{
    bool buffered = r->estimate == 0;
    const struct sched_orders *o = buffered ? &r->buffered_orders : &r->orders;
    double of = poe_leaves(buffered ? r->buffered_estimate : r->estimate), all = o->shares[POE_SHARE_ALL];
    double explored = (double)(buffered ? r->buffered_interleavings : r->interleavings);
    *m = (struct sched_most){.order = find_most(o)};
    if (!is_cut_short(r) || !m->order || all < 1)
        return false;
    /* Of jobs that nobody has begun the same is expected as of the others. Bounds that are in force leave
     * fewer than there are. */
    bool bounded = r->options->mix >= 0 || r->left_out.loops;
    double scale = !bounded && of > all ? of / all : 1;
    m->of = all * scale;
    m->factor = m->of / (m->order->left * scale > 1 ? m->order->left * scale : 1);
    if (m->factor < LEAST_FACTOR || m->of < LEAST_FACTOR * explored)
        return false;
    offer_all(m, r, o, scale, explored);
    return true;
}

void sched_most_finish(struct sched_most *m) { free(m->option); }

static char *about(double leaves)
{
    char *text = sched_bounds_about(leaves, 0);
    return text ? text : sched_strdup("about 1");
}

/* "MPI_Recv at app.c:31 main (a receive from any rank)" */
static char *order_words(const struct sched_result *r, const struct sched_order *order)
{
    char *place = sched_sites_words(r->sites, order->class.site);
    char *text = sched_format("%s at %s (%s)", isp_fn_name((enum isp_fn)order->class.fn), place,
                              sched_class_what((enum sched_class_kind)order->class.kind));
    free(place);
    return text;
}

static char *option_words(const struct sched_most *m)
{
    if (!m->option)
        return sched_strdup(
            "no option leaves fewer than half: fewer ranks or a smaller input help most, else "
            "--sample N takes N of them");
    char *leaves = about(m->leaves);
    char *text = sched_format("%s would leave %s%s interleaving%s", m->option, m->at_most ? "at most " : "",
                              leaves, m->leaves < 1.5 ? "" : "s");
    free(leaves);
    return text;
}

char *sched_most_words(const struct sched_result *r, const struct sched_most *m)
{
    char *where = order_words(r, m->order), *factor = about(m->factor), *of = about(m->of);
    char *option = option_words(m);
    char *text =
        sched_format("most orders come from %s: a factor of %s of %s; %s", where, factor, of, option);
    free(where);
    free(factor);
    free(of);
    free(option);
    return text;
}

char *sched_advice(const struct sched_result *result)
{
    struct sched_most most;
    if (sched_most_find(result, &most)) {
        char *text = sched_most_words(result, &most);
        sched_most_finish(&most);
        return text;
    }
    if (!result->incomplete_because || result->unsupported || result->options->replay)
        return NULL;
    struct tally t = count_choices(result);
    if (t.polls && t.polls * 2 >= t.all && result->options->polls)
        return advise_polls(result, &t);
    if (!is_cut_short(result))
        return NULL;
    if (!result->interleavings && !result->buffered_interleavings)
        return sched_strdup("not even one interleaving was over: no option makes that shorter, but a smaller "
                            "input or fewer ranks do");
    return advise_time(result->options);
}

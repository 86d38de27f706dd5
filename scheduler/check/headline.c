/* SPDX-License-Identifier: BSD-3-Clause */
/* See headline.h. */
#include "headline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "change.h"
#include "deeds.h"
#include "isp/functions.h"
#include "partner.h"
#include "words/words.h"

static const char *fn_of(const struct sched_seat *s) { return isp_fn_name((enum isp_fn)s->wait.at->call.fn); }

/* "MPI_Wait at f.c:9 (MPI_Irecv at f.c:7)": with the first operation that it waits for, if that is another
 * call. */
static char *spot_of(const struct sched_picture *p, const struct sched_seat *s)
{
    const struct poe_transition *at = s->wait.at;
    char *text = sched_words_operation(p->run, at);
    const struct poe_transition *first = s->n_pending ? s->pending[0] : at;
    if (first->call.site == at->call.site && first->call.fn == at->call.fn)
        return text;
    char *pending = sched_words_operation(p->run, first);
    sched_words_add(&text, " (%s)", pending);
    free(pending);
    return text;
}

/* " in MPI_Send", " in MPI_Send and MPI_Recv": the calls of these ranks; with their places, if nobody has
 * said them. */
static char *calls_of(const struct sched_picture *p, const int *ranks, size_t n, bool places)
{
    enum { SHOWN = 4 };
    char *calls[SHOWN];
    size_t n_calls = 0, more = 0;
    for (size_t i = 0; i < n; i++) {
        const struct sched_seat *s = &p->seats[ranks[i]];
        if (!s->wait.at)
            continue;
        char *call = places ? spot_of(p, s) : sched_strdup(fn_of(s));
        size_t k = 0;
        while (k < n_calls && strcmp(calls[k], call) != 0)
            k++;
        if (k == n_calls && n_calls < SHOWN) {
            calls[n_calls++] = call;
            continue;
        }
        more += k == n_calls;
        free(call);
    }
    char *text = sched_format("%s", "");
    for (size_t k = 0; k < n_calls; k++) {
        sched_words_add(&text, "%s%s",
                        k == 0                      ? " in "
                        : k + 1 == n_calls && !more ? " and "
                                                    : ", ",
                        calls[k]);
        free(calls[k]);
    }
    if (more)
        sched_words_add(&text, " and elsewhere");
    return text;
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void headline_cycle(struct sched_draft *d, const struct sched_picture *p, bool places)
{
    int *ranks = sched_copy(p->cycle, p->n_cycle * sizeof *ranks);
    qsort(ranks, p->n_cycle, sizeof *ranks, by_number);
    sched_draft_message(d, p->n_cycle == 1 ? "%s waits for itself%s" : "%s wait for each other%s",
                        sched_draft_own(d, sched_words_ranks(ranks, p->n_cycle)),
                        sched_draft_own(d, calls_of(p, ranks, p->n_cycle, places)));
    free(ranks);
}

/* Where the communicator was made on which the ranks at the heart wait, if it was made, not by the call that
 * they are in, and if `change` does not say it. True: it is told. */
static bool tell_maker(struct sched_draft *d, const struct sched_picture *p, const char *change)
{
    const struct sched_seat *h = p->heart;
    char *made = NULL, *here = sched_words_operation(p->run, h->wait.at);
    const struct isp_call *call = &h->wait.at->call;
    for (unsigned i = 0; i <= h->n_pending && !made; i++) {
        call = i ? &h->pending[i - 1]->call : call;
        if (call->op == ISP_OP_COLLECTIVE || sched_is_message(call))
            made = sched_words_comm_maker(p->run, call->comm);
    }
    bool tells = made && !strstr(made, here) && !(change && strstr(change, made));
    if (tells)
        sched_draft_message(d, " on a %s%s", sched_words_scope(call), made);
    free(made);
    free(here);
    return tells;
}

/* The ranks that wait at the same place, for the same ranks, as the heart. */
static char *with_heart(const struct sched_picture *p, bool *several)
{
    const struct sched_seat *h = p->heart;
    int *ranks = sched_must(malloc((size_t)p->n * sizeof *ranks));
    size_t n = 0;
    for (int i = 0; i < p->n; i++) {
        const struct sched_seat *s = &p->seats[i];
        if (sched_seat_is_stuck(s) && s->wait.at->call.fn == h->wait.at->call.fn &&
            s->wait.at->call.site == h->wait.at->call.site && s->wait.n_ranks == h->wait.n_ranks &&
            memcmp(s->ranks, h->ranks, h->wait.n_ranks * sizeof *h->ranks) == 0)
            ranks[n++] = i;
    }
    char *who = sched_words_ranks(ranks, n);
    *several = n > 1;
    free(ranks);
    return who;
}

/* ", which has finished after MPI_Send at f.c:7" */
static char *whereabouts(const struct sched_picture *p, int rank)
{
    struct sched_last_call last = sched_deeds_last(p->run->deeds, rank);
    if (!p->seats[rank].wait.finished || !last.fn)
        return sched_words_whereabouts(p->run, rank);
    char *place = sched_words_spot(p->run, last.site);
    char *text = sched_format("has finished after %s at %s", isp_fn_name((enum isp_fn)last.fn), place);
    free(place);
    return text;
}

static void headline_heart(struct sched_draft *d, const struct sched_picture *p, const char *change)
{
    const struct sched_seat *h = p->heart;
    bool several, one = h->wait.n_ranks == 1;
    const char *who = sched_draft_own(d, with_heart(p, &several));
    const char *in = change ? fn_of(h) : sched_draft_own(d, spot_of(p, h));
    sched_draft_message(d, "%s wait%s in %s", who, several ? "" : "s", in);
    sched_draft_message(d, tell_maker(d, p, change) ? ", for " : " for ");
    if (h->wait.n_ranks == 0) {
        sched_draft_message(d,
                            h->wait.send_blocked ? "a receive that nobody can post" : "what no rank can do");
        return;
    }
    sched_draft_message(d, "%s%s", !one && h->wait.kind == POE_WAITS_ANY ? "any of " : "",
                        sched_draft_own(d, sched_words_ranks(h->ranks, h->wait.n_ranks)));
    if (one)
        sched_draft_message(d, ", which %s", sched_draft_own(d, whereabouts(p, h->ranks[0])));
    else if (sched_waits_only_for_finished(p, h))
        sched_draft_message(d, ", which have finished");
}

static void headline_livelock(struct sched_draft *d, const struct sched_picture *p)
{
    int *ranks = sched_alloc((size_t)p->n, sizeof *ranks);
    size_t n = 0;
    for (int i = 0; i < p->n; i++)
        if (sched_seat_is_stuck(&p->seats[i]) && p->seats[i].wait.polling)
            ranks[n++] = i;
    sched_draft_message(d, "%s poll%s%s for something that can never come",
                        sched_draft_own(d, sched_words_ranks(ranks, n)), n == 1 ? "s" : "",
                        sched_draft_own(d, calls_of(p, ranks, n, false)));
    free(ranks);
}

/* The collective whose synchronization holds the rank; NULL: a send does. */
const struct isp_call *sched_blocking_collective(const struct sched_seat *s)
{
    const struct isp_call *found = s->wait.at->call.op == ISP_OP_COLLECTIVE ? &s->wait.at->call : NULL;
    for (unsigned i = 0; i < s->n_pending; i++) {
        if (s->pending[i]->call.op == ISP_OP_SEND)
            return NULL;
        if (s->pending[i]->call.op == ISP_OP_COLLECTIVE)
            found = &s->pending[i]->call;
    }
    return found;
}

static void condition(struct sched_draft *d, const struct sched_picture *p, enum isp_rule rule)
{
    const struct isp_call *call = p->heart ? sched_blocking_collective(p->heart) : NULL;
    if (rule != ISP_RULE_UNSAFE_BUFFERING)
        sched_draft_message(d, rule == ISP_RULE_LIVELOCK ? "livelock" : "deadlock");
    else if (call)
        sched_draft_message(d, "deadlock if %s synchronizes%s", isp_fn_name((enum isp_fn)call->fn),
                            p->run->mixed ? ", and others do not" : "");
    else
        sched_draft_message(d, p->run->mixed ? "deadlock if MPI buffers other messages, and not this one"
                                             : "deadlock unless MPI buffers the message");
}

void sched_headline(struct sched_draft *d, const struct sched_picture *p, enum isp_rule rule)
{
    char *change = sched_change(p);
    bool places = !change;
    condition(d, p, rule);
    sched_draft_message(d, ": ");
    if (change)
        sched_draft_message(d, "%s; ", sched_draft_own(d, change));
    if (!p->heart)
        sched_draft_message(d, "no rank can move");
    else if (p->livelock)
        headline_livelock(d, p);
    else if (p->n_cycle)
        headline_cycle(d, p, places);
    else
        headline_heart(d, p, change);
    if (p->heart && (p->livelock || p->n_cycle))
        tell_maker(d, p, change);
}

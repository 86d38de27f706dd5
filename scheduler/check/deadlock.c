/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nothing moves: who waits where, for whom, and who is missing. The picture (picture.h) is told: a headline,
 * one row per rank, the wait-for cycle or the rank that has finished, who is missing from a collective, and
 * what would nearly have matched.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "absence.h"
#include "base/alloc.h"
#include "check.h"
#include "deeds.h"
#include "isp/functions.h"
#include "headline.h"
#include "near.h"
#include "partner.h"
#include "picture.h"
#include "words/words.h"

/* ---- telling it ---- */

/* " (MPI_Irecv(from 2, tag 0) at app.c:4 main)", if it is not the call that the rank is in. */
static void add_pending(const struct sched_picture *p, char **text, const struct poe_transition *t,
                        const char *before)
{
    char *what = sched_words_partner(p->run, t), *call = sched_words_call(p->run, &t->call);
    char *place = sched_words_place(p->run, t->call.site);
    const struct sched_made *made = sched_deeds_maker(p->run->deeds, t);
    char *maker = made ? sched_words_operation(p->run, t) : NULL;
    sched_words_add(text, "%s%s [%s, %s%s%s]", before, what, call, place, maker ? ", made by " : "",
                    maker ? maker : "");
    free(maker);
    free(what);
    free(call);
    free(place);
}

/* The last column of a rank's row. */
static char *waits_for(const struct sched_picture *p, const struct sched_seat *s)
{
    const struct poe_wait *w = &s->wait;
    if (w->finished)
        return sched_format("has finished");
    if (!w->at)
        return sched_format("is outside MPI");
    char *text = sched_format(w->polling ? "polls for " : "waits for ");
    if (w->polling && w->at->call.op == ISP_OP_LOCK) {
        sched_words_add(&text, "a change of what it has read there");
    } else if (sched_is_message(&w->at->call) || w->at->call.op == ISP_OP_LOCK) {
        char *what = sched_words_partner(p->run, w->at);
        sched_words_add(&text, "%s", what);
        free(what);
    } else if (w->n_pending) {
        if (w->n_pending > 1)
            sched_words_add(&text, "%s of: ", w->kind == POE_WAITS_ALL ? "all" : "any");
        for (unsigned i = 0; i < s->n_pending; i++)
            add_pending(p, &text, s->pending[i], i ? ", " : "");
        if (w->n_pending > SCHED_SHOWN_PENDING)
            sched_words_add(&text, " and %u more", w->n_pending - SCHED_SHOWN_PENDING);
    } else if (w->n_ranks) {
        char *ranks = sched_words_ranks(s->ranks, w->n_ranks);
        sched_words_add(&text, "%s%s", w->kind == POE_WAITS_ANY && w->n_ranks > 1 ? "any of " : "", ranks);
        free(ranks);
    } else {
        sched_words_add(&text, "something that no rank can do");
    }
    return text;
}

/* ---- below the rows ---- */

static void tell_cycle(struct sched_draft *d, const struct sched_picture *p)
{
    if (p->n_cycle < 2)
        return;
    char *text = NULL;
    for (unsigned i = 0; i < p->n_cycle; i++) {
        if (p->n_cycle > 16 && i == 8)
            sched_words_add(&text, "... → ");
        if (p->n_cycle <= 16 || i < 8 || i >= p->n_cycle - 4)
            sched_words_add(&text, "rank %d → ", p->cycle[i]);
    }
    sched_draft_line(d, "wait-for cycle: %srank %d", text, p->cycle[0]);
    free(text);
}

static void tell_collectives(struct sched_draft *d, const struct sched_picture *p)
{
    struct sched_absences absences = {.run = p->run};
    for (int i = 0; i < p->n_seats; i++) {
        const struct sched_seat *s = &p->seats[i];
        if (!sched_seat_is_stuck(s))
            continue;
        sched_absences_add(&absences, s->wait.at);
        for (unsigned k = 0; k < s->n_pending; k++)
            sched_absences_add(&absences, s->pending[k]);
    }
    sched_absences_tell(&absences, d);
}

enum { SHOWN_KEPT = 8 };

static void tell_one_kept(struct sched_draft *d, const struct sched_picture *p, const char *what, int rank,
                          const struct isp_call *c)
{
    sched_draft_line(d, "%s rank %d: %s [%s]", what, rank, sched_draft_call(d, c),
                     sched_draft_place(d, c->site));
}

static bool is_unkept(const struct poe_transition *t)
{
    return t && !t->completed && poe_kept_may_be(&t->call);
}

/* What this deadlock waits in, and would not if MPI buffered it. */
static void tell_unkept(struct sched_draft *d, const struct sched_picture *p)
{
    for (int i = 0; i < p->n_seats; i++) {
        const struct sched_seat *s = &p->seats[i];
        if (!sched_seat_is_stuck(s))
            continue;
        if (is_unkept(s->wait.at))
            tell_one_kept(d, p, "... and lets wait:", s->rank, &s->wait.at->call);
        for (unsigned k = 0; k < s->n_pending; k++)
            if (s->pending[k] != s->wait.at && is_unkept(s->pending[k]))
                tell_one_kept(d, p, "... and lets wait:", s->rank, &s->pending[k]->call);
    }
}

/* Which operations MPI must complete early for it, and which not. */
static void tell_kept(struct sched_draft *d, const struct sched_picture *p)
{
    const struct sched_run *run = p->run;
    for (size_t i = 0; i < run->n_kept && i < SHOWN_KEPT; i++) {
        const struct isp_call *c = poe_recorded_call(run->poe, run->kept[i]);
        if (c)
            tell_one_kept(d, p, c->op == ISP_OP_SEND ? "MPI buffers:" : "MPI lets go on:", run->kept[i].rank,
                          c);
    }
    if (run->n_kept > SHOWN_KEPT)
        sched_draft_line(d, "... and %zu more", run->n_kept - SHOWN_KEPT);
    tell_unkept(d, p);
    sched_draft_line(d, "MPI may decide that for each call by itself (MPI 4.0, 3.4, 3.5 and 6.14)");
}

static void tell_why(struct sched_draft *d, const struct sched_picture *p, enum isp_rule rule)
{
    tell_cycle(d, p);
    tell_collectives(d, p);
    sched_near_misses_tell(p->run, p->blocked, p->n_blocked, d);
    if (rule != ISP_RULE_UNSAFE_BUFFERING)
        return;
    if (p->run->mixed) {
        tell_kept(d, p);
        return;
    }
    const struct isp_call *collective = p->heart ? sched_blocking_collective(p->heart) : NULL;
    if (collective)
        sched_draft_line(
            d,
            "it goes away if %s lets ranks leave before others have come, which MPI may do but need not "
            "(MPI 4.0, 6.14)",
            isp_fn_name((enum isp_fn)collective->fn));
    else
        sched_draft_line(
            d, "it goes away if MPI buffers the message, which MPI may do but need not (MPI 4.0, 3.5)");
}

/* ---- the finding ---- */

/* Those that have finished are beside it. */
static void add_place(struct sched_draft *d, const struct sched_picture *p, const struct sched_seat *s)
{
    const struct poe_transition *at = s->wait.at;
    if (at && sched_seat_is_stuck(&p->seats[s->rank]))
        sched_draft_at(d, at);
    else if (at)
        sched_draft_beside(d, s->rank, at->call.fn, at->call.site);
}

/* The heart's first. */
static void add_places(struct sched_draft *d, const struct sched_picture *p)
{
    if (p->heart)
        add_place(d, p, p->heart);
    for (int i = 0; i < p->n_seats; i++)
        if (&p->seats[i] != p->heart)
            add_place(d, p, &p->seats[i]);
}

/* A row for each rank, and for its further threads. */
static void tell_rows(struct sched_draft *d, const struct sched_picture *p)
{
    for (int rank = 0; rank < p->n; rank++)
        for (int i = rank; i < p->n_seats; i = i < p->n ? p->n : i + 1) {
            const struct sched_seat *s = &p->seats[i];
            if (s->rank == rank)
                sched_draft_row_of_thread(d, rank, s->thread, s->wait.at ? &s->wait.at->call : NULL,
                                          waits_for(p, s));
        }
}

static char *key_of(const struct sched_picture *p)
{
    char *key = sched_format("stuck");
    for (int i = 0; i < p->n_seats; i++) {
        const struct sched_seat *s = &p->seats[i];
        if (!sched_seat_is_stuck(s))
            continue;
        sched_words_add(&key, " %d:%u:" SCHED_KEY_SITE "%s", s->rank, s->wait.at->call.fn,
                        s->wait.at->call.site, s->wait.polling ? "p" : "");
    }
    return key;
}

char *sched_deadlock_key(struct sched_run *run)
{
    struct sched_picture p;
    sched_picture_init(&p, run, false, false);
    char *key = key_of(&p);
    sched_picture_finish(&p);
    return key;
}

/* ---- the cause ---- */

/*
 * Two pictures have one cause if their hearts are alike but for the numbers of ranks: the same calls at the
 * same places, with the same tags on the same communicators, wait in a cycle; or such a call waits for ranks
 * that have finished, or are in the same calls; and what is nearly right with them is alike (near.h). Who
 * else waits, and who is further along, does not matter. Of a program that calls MPI through functions of its
 * own the places are those; --stacks tells them apart.
 */

static void add_call(char **text, struct sched_run *run, const struct poe_transition *t)
{
    const struct isp_call *c = &t->call;
    sched_words_add(text, " %u:" SCHED_KEY_SITE, c->fn, c->site);
    if (sched_is_message(c))
        sched_words_add(text, ":%d%s%c", c->tag, c->peer == ISP_ANY_SOURCE ? "*" : "",
                        sched_near_miss_kind(run, t));
    if (sched_is_message(c) || c->op == ISP_OP_COLLECTIVE)
        sched_words_add(text, "@%" PRIx64, c->comm != ISP_NO_COMM ? poe_comm_key(run->poe, c->comm) : 0);
}

static char *role_of(const struct sched_picture *p, const struct sched_seat *s)
{
    if (s->wait.finished || !s->wait.at)
        return sched_strdup(s->wait.finished ? "(finished)" : "(outside)");
    char *text = sched_format("(%s", s->wait.polling ? "p" : "");
    add_call(&text, p->run, s->wait.at);
    for (unsigned i = 0; i < s->n_pending; i++)
        if (s->pending[i] != s->wait.at)
            add_call(&text, p->run, s->pending[i]);
    sched_words_add(&text, ")");
    return text;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The roles of these ranks, each once. */
static void add_roles(const struct sched_picture *p, char **cause, const int *ranks, unsigned n)
{
    char **roles = sched_alloc(n, sizeof *roles);
    for (unsigned i = 0; i < n; i++)
        roles[i] = role_of(p, &p->seats[ranks[i]]);
    qsort(roles, n, sizeof *roles, by_text);
    for (unsigned i = 0; i < n; i++)
        if (i == 0 || strcmp(roles[i], roles[i - 1]) != 0)
            sched_words_add(cause, " %s", roles[i]);
    for (unsigned i = 0; i < n; i++)
        free(roles[i]);
    free(roles);
}

/* NULL: nothing is at the heart of it. */
static char *cause_of(const struct sched_picture *p)
{
    if (!p->heart || p->livelock)
        return NULL;
    char *cause = sched_strdup(p->n_cycle ? "cycle" : "waits");
    if (p->n_cycle) {
        add_roles(p, &cause, p->cycle, p->n_cycle);
        return cause;
    }
    char *heart = role_of(p, p->heart);
    sched_words_add(&cause, " %s for", heart);
    add_roles(p, &cause, p->heart->ranks, p->heart->wait.n_ranks);
    free(heart);
    return cause;
}

struct sched_finding *sched_check_deadlock(struct sched_run *run, bool livelock, enum isp_rule rule)
{
    struct sched_picture p;
    sched_picture_init(&p, run, livelock, rule == ISP_RULE_UNSAFE_BUFFERING);
    struct sched_draft *d = sched_draft_create(run, rule);
    sched_headline(d, &p, rule);
    tell_rows(d, &p);
    tell_why(d, &p, rule);
    add_places(d, &p);
    sched_draft_key(d, "%s", sched_draft_own(d, key_of(&p)));
    sched_draft_cause(d, cause_of(&p));
    struct sched_finding *entry = sched_draft_end(d);
    sched_picture_finish(&p);
    return entry;
}

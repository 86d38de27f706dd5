/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nothing moves: who waits where, for whom, and who is missing. The picture is taken once from poe
 * (whose answers last only until the next question) and then told: a headline about the ranks
 * at the heart of it, one row per rank, the wait-for cycle or the rank that has finished, who is missing
 * from a collective, and what would nearly have matched.
 *
 * The heart is the wait-for cycle if there is one; else a rank that waits for ranks that have finished.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "absence.h"
#include "base/alloc.h"
#include "check.h"
#include "isp/functions.h"
#include "near.h"
#include "partner.h"
#include "words/words.h"

enum { SHOWN_PENDING = 3 };

/* poe_wait of one rank, or of a further thread of it, kept. */
struct seat {
    int rank;
    int thread;           /* -1: the rank has only one */
    struct poe_wait wait; /* with ranks and pending of its own */
    int *ranks;
    const struct poe_transition *pending[SHOWN_PENDING];
};

struct picture {
    struct sched_run *run;
    bool livelock;
    struct seat *seats; /* by rank; behind them those of further threads that wait */
    int n, n_seats;
    int *cycle;
    unsigned n_cycle;
    const struct seat *heart;
};

/* ---- taking it ---- */

static void seat_init(struct seat *seat, struct poe *poe, int rank, const struct poe_wait *w)
{
    int thread = w->at && poe_threads(poe, rank) > 1 ? w->at->call.thread : -1;
    *seat = (struct seat){.rank = rank, .thread = thread, .wait = *w};
    seat->ranks = sched_must(malloc((w->n_ranks + 1) * sizeof *seat->ranks));
    if (w->n_ranks)
        memcpy(seat->ranks, w->ranks, w->n_ranks * sizeof *seat->ranks);
    for (unsigned i = 0; i < w->n_pending && i < SHOWN_PENDING; i++)
        seat->pending[i] = w->pending[i];
    seat->wait.ranks = seat->ranks;
    seat->wait.pending = NULL;
}

static bool is_stuck(const struct seat *s) { return !s->wait.finished && s->wait.at; }

static bool waits_only_for_finished(const struct picture *p, const struct seat *s)
{
    for (unsigned i = 0; i < s->wait.n_ranks; i++)
        if (!p->seats[s->ranks[i]].wait.finished)
            return false;
    return s->wait.n_ranks > 0;
}

static const struct seat *find_heart(const struct picture *p, bool unsafe)
{
    for (unsigned i = 0; unsafe && i < p->n_cycle; i++)
        if (p->seats[p->cycle[i]].wait.send_blocked)
            return &p->seats[p->cycle[i]];
    if (p->n_cycle)
        return &p->seats[p->cycle[0]];
    const struct seat *best = NULL;
    int best_worth = 0;
    for (int i = 0; i < p->n_seats; i++) {
        const struct seat *s = &p->seats[i];
        int worth = !is_stuck(s)                     ? 0
                    : p->livelock && s->wait.polling ? 5
                    : unsafe && s->wait.send_blocked ? 4
                    : waits_only_for_finished(p, s)  ? 3
                    : s->wait.n_ranks == 0           ? 2
                                                     : 1;
        if (worth > best_worth)
            best = s, best_worth = worth;
    }
    return best;
}

/* The other threads of the ranks. */
static void add_threads(struct picture *p, struct poe *poe)
{
    for (int rank = 0; rank < p->n; rank++)
        for (unsigned i = 0; p->seats[rank].thread >= 0 && i < poe_threads(poe, rank); i++) {
            const struct poe_wait *w = poe_wait_thread(poe, rank, i);
            if (!w->at || w->at == p->seats[rank].wait.at)
                continue;
            p->seats = sched_grow(p->seats, (size_t)p->n_seats + 1, sizeof *p->seats);
            seat_init(&p->seats[p->n_seats++], poe, rank, w);
        }
}

static void picture_init(struct picture *p, struct sched_run *run, bool livelock, bool unsafe)
{
    int n = run->options->ranks;
    *p = (struct picture){.run = run, .livelock = livelock, .n = n};
    p->seats = sched_must(calloc((size_t)n, sizeof *p->seats));
    p->cycle = sched_must(calloc((size_t)n, sizeof *p->cycle));
    for (int i = 0; i < n; i++)
        seat_init(&p->seats[i], run->poe, i, poe_wait(run->poe, i));
    p->n_seats = n;
    add_threads(p, run->poe);
    p->n_cycle = livelock ? 0 : poe_wait_cycle(run->poe, p->cycle);
    p->heart = find_heart(p, unsafe);
}

static void picture_finish(struct picture *p)
{
    for (int i = 0; i < p->n_seats; i++)
        free(p->seats[i].ranks);
    free(p->seats);
    free(p->cycle);
}

/* ---- telling it ---- */

static bool is_message(const struct isp_call *call)
{
    return call->op == ISP_OP_SEND || call->op == ISP_OP_RECV || call->op == ISP_OP_PROBE;
}

/* " (MPI_Irecv(from 2, tag 0) at app.c:4 main)", if it is not the call that the rank is in. */
static void add_pending(const struct picture *p, char **text, const struct poe_transition *t,
                        const char *before)
{
    char *what = sched_words_partner(p->run, t), *call = sched_words_call(p->run, &t->call);
    char *place = sched_words_place(p->run, t->call.site);
    sched_words_add(text, "%s%s [%s, %s]", before, what, call, place);
    free(what);
    free(call);
    free(place);
}

/* The last column of a rank's row. */
static char *waits_for(const struct picture *p, const struct seat *s)
{
    const struct poe_wait *w = &s->wait;
    if (w->finished)
        return sched_format("has finished");
    if (!w->at)
        return sched_format("is outside MPI");
    char *text = sched_format(w->polling ? "polls for " : "waits for ");
    if (w->polling && w->at->call.op == ISP_OP_LOCK) {
        sched_words_add(&text, "a change of what it has read there");
    } else if (is_message(&w->at->call) || w->at->call.op == ISP_OP_LOCK) {
        char *what = sched_words_partner(p->run, w->at);
        sched_words_add(&text, "%s", what);
        free(what);
    } else if (w->n_pending) {
        if (w->n_pending > 1)
            sched_words_add(&text, "%s of: ", w->kind == POE_WAITS_ALL ? "all" : "any");
        for (unsigned i = 0; i < w->n_pending && i < SHOWN_PENDING; i++)
            add_pending(p, &text, s->pending[i], i ? ", " : "");
        if (w->n_pending > SHOWN_PENDING)
            sched_words_add(&text, " and %u more", w->n_pending - SHOWN_PENDING);
    } else if (w->n_ranks) {
        char *ranks = sched_words_ranks(s->ranks, w->n_ranks);
        sched_words_add(&text, "%s%s", w->kind == POE_WAITS_ANY && w->n_ranks > 1 ? "any of " : "", ranks);
        free(ranks);
    } else {
        sched_words_add(&text, "something that no rank can do");
    }
    return text;
}

static const char *fn_of(const struct seat *s) { return isp_fn_name((enum isp_fn)s->wait.at->call.fn); }

/* " in MPI_Send", " in MPI_Send and MPI_Recv": the calls of these ranks. */
static char *calls_of(const struct picture *p, const int *ranks, size_t n)
{
    const char *names[4];
    size_t n_names = 0;
    for (size_t i = 0; i < n && n_names < 4; i++) {
        if (!p->seats[ranks[i]].wait.at)
            continue;
        const char *name = fn_of(&p->seats[ranks[i]]);
        size_t k = 0;
        while (k < n_names && strcmp(names[k], name) != 0)
            k++;
        if (k == n_names)
            names[n_names++] = name;
    }
    char *text = sched_format("%s", "");
    for (size_t k = 0; k < n_names && n_names < 4; k++)
        sched_words_add(&text, "%s%s", k == 0 ? " in " : k + 1 == n_names ? " and " : ", ", names[k]);
    return text;
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void headline_cycle(struct sched_draft *d, const struct picture *p)
{
    int *ranks = sched_copy(p->cycle, p->n_cycle * sizeof *ranks);
    qsort(ranks, p->n_cycle, sizeof *ranks, by_number);
    sched_draft_message(d, p->n_cycle == 1 ? "%s waits for itself%s" : "%s wait for each other%s",
                        sched_draft_own(d, sched_words_ranks(ranks, p->n_cycle)),
                        sched_draft_own(d, calls_of(p, ranks, p->n_cycle)));
    free(ranks);
}

/* The ranks that wait at the same place, for the same ranks, as the heart. */
static char *with_heart(const struct picture *p, bool *several)
{
    const struct seat *h = p->heart;
    int *ranks = sched_must(malloc((size_t)p->n * sizeof *ranks));
    size_t n = 0;
    for (int i = 0; i < p->n; i++) {
        const struct seat *s = &p->seats[i];
        if (is_stuck(s) && s->wait.at->call.fn == h->wait.at->call.fn &&
            s->wait.at->call.site == h->wait.at->call.site && s->wait.n_ranks == h->wait.n_ranks &&
            memcmp(s->ranks, h->ranks, h->wait.n_ranks * sizeof *h->ranks) == 0)
            ranks[n++] = i;
    }
    char *who = sched_words_ranks(ranks, n);
    *several = n > 1;
    free(ranks);
    return who;
}

static void headline_heart(struct sched_draft *d, const struct picture *p)
{
    const struct seat *h = p->heart;
    bool several, one = h->wait.n_ranks == 1;
    const char *who = sched_draft_own(d, with_heart(p, &several));
    sched_draft_message(d, "%s wait%s in %s for ", who, several ? "" : "s", fn_of(h));
    if (h->wait.n_ranks == 0) {
        sched_draft_message(d,
                            h->wait.send_blocked ? "a receive that nobody can post" : "what no rank can do");
        return;
    }
    sched_draft_message(d, "%s%s", !one && h->wait.kind == POE_WAITS_ANY ? "any of " : "",
                        sched_draft_own(d, sched_words_ranks(h->ranks, h->wait.n_ranks)));
    if (one)
        sched_draft_message(d, ", which %s",
                            sched_draft_own(d, sched_words_whereabouts(p->run, h->ranks[0])));
    else if (waits_only_for_finished(p, h))
        sched_draft_message(d, ", which have finished");
}

static void headline_livelock(struct sched_draft *d, const struct picture *p)
{
    int *ranks = sched_alloc((size_t)p->n, sizeof *ranks);
    size_t n = 0;
    for (int i = 0; i < p->n; i++)
        if (is_stuck(&p->seats[i]) && p->seats[i].wait.polling)
            ranks[n++] = i;
    sched_draft_message(d, "%s poll%s%s for something that can never come",
                        sched_draft_own(d, sched_words_ranks(ranks, n)), n == 1 ? "s" : "",
                        sched_draft_own(d, calls_of(p, ranks, n)));
    free(ranks);
}

/* The collective whose synchronization holds the rank; NULL: a send does. */
static const struct isp_call *blocking_collective(const struct seat *s)
{
    const struct isp_call *found = s->wait.at->call.op == ISP_OP_COLLECTIVE ? &s->wait.at->call : NULL;
    for (unsigned i = 0; i < s->wait.n_pending && i < SHOWN_PENDING; i++) {
        if (s->pending[i]->call.op == ISP_OP_SEND)
            return NULL;
        if (s->pending[i]->call.op == ISP_OP_COLLECTIVE)
            found = &s->pending[i]->call;
    }
    return found;
}

static void condition(struct sched_draft *d, const struct picture *p, enum isp_rule rule)
{
    const struct isp_call *call = p->heart ? blocking_collective(p->heart) : NULL;
    if (rule != ISP_RULE_UNSAFE_BUFFERING)
        sched_draft_message(d, rule == ISP_RULE_LIVELOCK ? "livelock" : "deadlock");
    else if (call)
        sched_draft_message(d, "deadlock if %s synchronizes%s", isp_fn_name((enum isp_fn)call->fn),
                            p->run->mixed ? ", and others do not" : "");
    else
        sched_draft_message(d, p->run->mixed ? "deadlock if MPI buffers other messages, and not this one"
                                             : "deadlock unless MPI buffers the message");
}

static void headline(struct sched_draft *d, const struct picture *p, enum isp_rule rule)
{
    condition(d, p, rule);
    sched_draft_message(d, ": ");
    if (!p->heart)
        sched_draft_message(d, "no rank can move");
    else if (p->livelock)
        headline_livelock(d, p);
    else if (p->n_cycle)
        headline_cycle(d, p);
    else
        headline_heart(d, p);
}

/* ---- below the rows ---- */

static void tell_cycle(struct sched_draft *d, const struct picture *p)
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

static void tell_collectives(struct sched_draft *d, const struct picture *p)
{
    struct sched_absences absences = {.run = p->run};
    for (int i = 0; i < p->n_seats; i++) {
        const struct seat *s = &p->seats[i];
        if (!is_stuck(s))
            continue;
        sched_absences_add(&absences, s->wait.at);
        for (unsigned k = 0; k < s->wait.n_pending && k < SHOWN_PENDING; k++)
            sched_absences_add(&absences, s->pending[k]);
    }
    sched_absences_tell(&absences, d);
}

/* The sends, receives and probes that hold ranks: the heart's first. */
static void tell_near_misses(struct sched_draft *d, const struct picture *p)
{
    size_t n = 0;
    const struct poe_transition **blocked =
        sched_alloc((size_t)p->n_seats * (SHOWN_PENDING + 1), sizeof *blocked);
    for (int i = -1; i < p->n_seats; i++) {
        const struct seat *s = i < 0 ? p->heart : &p->seats[i];
        if (!s || !is_stuck(s) || (i >= 0 && s == p->heart))
            continue;
        if (is_message(&s->wait.at->call))
            blocked[n++] = s->wait.at;
        for (unsigned k = 0; k < s->wait.n_pending && k < SHOWN_PENDING; k++)
            if (s->pending[k] != s->wait.at && is_message(&s->pending[k]->call))
                blocked[n++] = s->pending[k];
    }
    sched_near_misses_tell(p->run, blocked, n, d);
    free(blocked);
}

enum { SHOWN_KEPT = 8 };

static void tell_one_kept(struct sched_draft *d, const struct picture *p, const char *what, int rank,
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
static void tell_unkept(struct sched_draft *d, const struct picture *p)
{
    for (int i = 0; i < p->n_seats; i++) {
        const struct seat *s = &p->seats[i];
        if (!is_stuck(s))
            continue;
        if (is_unkept(s->wait.at))
            tell_one_kept(d, p, "... and lets wait:", s->rank, &s->wait.at->call);
        for (unsigned k = 0; k < s->wait.n_pending && k < SHOWN_PENDING; k++)
            if (s->pending[k] != s->wait.at && is_unkept(s->pending[k]))
                tell_one_kept(d, p, "... and lets wait:", s->rank, &s->pending[k]->call);
    }
}

/* Which operations MPI must complete early for it, and which not. */
static void tell_kept(struct sched_draft *d, const struct picture *p)
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

static void tell_why(struct sched_draft *d, const struct picture *p, enum isp_rule rule)
{
    tell_cycle(d, p);
    tell_collectives(d, p);
    tell_near_misses(d, p);
    if (rule != ISP_RULE_UNSAFE_BUFFERING)
        return;
    if (p->run->mixed) {
        tell_kept(d, p);
        return;
    }
    const struct isp_call *collective = p->heart ? blocking_collective(p->heart) : NULL;
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
static void add_place(struct sched_draft *d, const struct picture *p, const struct seat *s)
{
    const struct poe_transition *at = s->wait.at;
    if (at && is_stuck(&p->seats[s->rank]))
        sched_draft_at(d, at);
    else if (at)
        sched_draft_beside(d, s->rank, at->call.fn, at->call.site);
}

/* The heart's first. */
static void add_places(struct sched_draft *d, const struct picture *p)
{
    if (p->heart)
        add_place(d, p, p->heart);
    for (int i = 0; i < p->n_seats; i++)
        if (&p->seats[i] != p->heart)
            add_place(d, p, &p->seats[i]);
}

/* A row for each rank, and for its further threads. */
static void tell_rows(struct sched_draft *d, const struct picture *p)
{
    for (int rank = 0; rank < p->n; rank++)
        for (int i = rank; i < p->n_seats; i = i < p->n ? p->n : i + 1) {
            const struct seat *s = &p->seats[i];
            if (s->rank == rank)
                sched_draft_row_of_thread(d, rank, s->thread, s->wait.at ? &s->wait.at->call : NULL,
                                          waits_for(p, s));
        }
}

static char *key_of(const struct picture *p)
{
    char *key = sched_format("stuck");
    for (int i = 0; i < p->n_seats; i++) {
        const struct seat *s = &p->seats[i];
        if (!is_stuck(s))
            continue;
        sched_words_add(&key, " %d:%u:" SCHED_KEY_SITE "%s", s->rank, s->wait.at->call.fn,
                        s->wait.at->call.site, s->wait.polling ? "p" : "");
    }
    return key;
}

char *sched_deadlock_key(struct sched_run *run)
{
    struct picture p;
    picture_init(&p, run, false, false);
    char *key = key_of(&p);
    picture_finish(&p);
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
    if (is_message(c))
        sched_words_add(text, ":%d%s%c", c->tag, c->peer == ISP_ANY_SOURCE ? "*" : "",
                        sched_near_miss_kind(run, t));
    if (is_message(c) || c->op == ISP_OP_COLLECTIVE)
        sched_words_add(text, "@%" PRIx64, c->comm != ISP_NO_COMM ? poe_comm_key(run->poe, c->comm) : 0);
}

static char *role_of(const struct picture *p, const struct seat *s)
{
    if (s->wait.finished || !s->wait.at)
        return sched_strdup(s->wait.finished ? "(finished)" : "(outside)");
    char *text = sched_format("(%s", s->wait.polling ? "p" : "");
    add_call(&text, p->run, s->wait.at);
    for (unsigned i = 0; i < s->wait.n_pending && i < SHOWN_PENDING; i++)
        if (s->pending[i] != s->wait.at)
            add_call(&text, p->run, s->pending[i]);
    sched_words_add(&text, ")");
    return text;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The roles of these ranks, each once. */
static void add_roles(const struct picture *p, char **cause, const int *ranks, unsigned n)
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
static char *cause_of(const struct picture *p)
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
    struct picture p;
    picture_init(&p, run, livelock, rule == ISP_RULE_UNSAFE_BUFFERING);
    struct sched_draft *d = sched_draft_create(run, rule);
    headline(d, &p, rule);
    tell_rows(d, &p);
    tell_why(d, &p, rule);
    add_places(d, &p);
    sched_draft_key(d, "%s", sched_draft_own(d, key_of(&p)));
    sched_draft_cause(d, cause_of(&p));
    struct sched_finding *entry = sched_draft_end(d);
    picture_finish(&p);
    return entry;
}

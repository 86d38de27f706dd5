/* SPDX-License-Identifier: BSD-3-Clause */
/* See absence.h. */
#include "absence.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "isp/functions.h"
#include "partner.h"
#include "words/words.h"

struct sched_absence {
    const struct isp_call *call;
    int *ranks;
    unsigned n;
};

void sched_absences_add(struct sched_absences *all, const struct poe_transition *t)
{
    if (t->call.op != ISP_OP_COLLECTIVE)
        return;
    struct sched_absence a = {.call = &t->call,
                              .ranks = sched_alloc((size_t)all->run->options->ranks, sizeof *a.ranks)};
    a.n = poe_missing(all->run->poe, t, a.ranks);
    bool told = a.n == 0;
    for (size_t i = 0; i < all->n && !told; i++) {
        const struct sched_absence *b = &all->list[i];
        told = b->call->comm == a.call->comm && b->call->fn == a.call->fn && b->n == a.n &&
               memcmp(b->ranks, a.ranks, a.n * sizeof *a.ranks) == 0;
    }
    if (told) {
        free(a.ranks);
        return;
    }
    all->list = sched_grow(all->list, all->n + 1, sizeof *all->list);
    all->list[all->n++] = a;
}

static bool is_member(const struct sched_run *run, int rank, int comm)
{
    const int *members;
    unsigned n = poe_comm_members(run->poe, comm, &members);
    for (unsigned i = 0; i < n; i++)
        if (members[i] == rank)
            return true;
    return false;
}

/* A rank that is in the same collective on another communicator has mostly taken the wrong one. */
static const char *elsewhere(const struct sched_run *run, const struct sched_absence *a, int rank)
{
    const struct poe_transition *at = poe_wait(run->poe, rank)->at;
    bool same = at && at->call.op == ISP_OP_COLLECTIVE && at->call.comm != a->call->comm &&
                isp_fn_base((enum isp_fn)at->call.fn) == isp_fn_base((enum isp_fn)a->call->fn);
    if (!same)
        return "";
    const int *x, *y;
    unsigned n = poe_comm_members(run->poe, at->call.comm, &x);
    bool alike = n == poe_comm_members(run->poe, a->call->comm, &y) && memcmp(x, y, n * sizeof *x) == 0;
    return alike ? ", on another communicator of the same ranks" : ", on another communicator";
}

/* "is in MPI_Recv at app.c:4 main", since its own row tells the rest; of several ranks the verb is theirs. */
static char *whereabouts(const struct sched_run *run, const struct sched_absence *a, int rank)
{
    const struct poe_wait *w = poe_wait(run->poe, rank);
    const struct poe_transition *at = w->at;
    if (w->finished || !at)
        return sched_words_whereabouts(run, rank);
    char *place = sched_words_place(run, at->call.site);
    char *text = sched_format("is in %s at %s%s", isp_fn_name((enum isp_fn)at->call.fn), place,
                              elsewhere(run, a, rank));
    free(place);
    return text;
}

static void add_place(char **text, const int *ranks, unsigned n, bool member, const char *where)
{
    char *who = sched_words_ranks(ranks, n);
    bool is = strncmp(where, "is ", 3) == 0, has = strncmp(where, "has ", 4) == 0;
    const char *verb = n == 1 ? "" : is ? "are " : has ? "have " : "";
    sched_words_add(text, "%s%s%s %s%s", *text ? "; " : "", who, member ? "" : ", the other side's leader,",
                    verb, *verb ? where + (is ? 3 : 4) : where);
    free(who);
}

/* Ranks that are at one place are told together. */
static void tell(struct sched_draft *d, const struct sched_run *run, const struct sched_absence *a)
{
    enum { SHOWN = 4 };
    char *text = NULL, **places = sched_alloc(a->n, sizeof *places);
    int *ranks = sched_alloc(a->n, sizeof *ranks);
    unsigned shown = 0, told = 0;
    for (unsigned i = 0; i < a->n; i++)
        places[i] = whereabouts(run, a, a->ranks[i]);
    for (unsigned i = 0; i < a->n && shown < SHOWN; i++) {
        unsigned n = 0;
        if (!places[i])
            continue;
        ranks[n++] = a->ranks[i];
        for (unsigned k = i + 1; k < a->n; k++)
            if (places[k] && strcmp(places[k], places[i]) == 0) {
                ranks[n++] = a->ranks[k];
                free(places[k]);
                places[k] = NULL; /* told with this one */
            }
        add_place(&text, ranks, n, is_member(run, a->ranks[i], a->call->comm), places[i]);
        told += n;
        shown++;
    }
    if (told < a->n)
        sched_words_add(&text, "; and %u more", a->n - told);
    sched_draft_line(d, "missing in %s on %s: %s", isp_fn_name((enum isp_fn)a->call->fn),
                     sched_draft_own(d, sched_words_comm_made(run, a->call)), text);
    for (unsigned i = 0; i < a->n; i++)
        free(places[i]);
    free(places);
    free(ranks);
    free(text);
}

void sched_absences_tell(struct sched_absences *all, struct sched_draft *draft)
{
    for (size_t i = 0; i < all->n; i++) {
        tell(draft, all->run, &all->list[i]);
        free(all->list[i].ranks);
    }
    free(all->list);
}

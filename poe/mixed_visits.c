/* SPDX-License-Identifier: BSD-3-Clause */
/* Visits with mixed buffering: see mixed_visits.h. */
#include "mixed_visits.h"

#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "memory.h"
#include "visit.h"

enum { CLASSES = 64 };
static const uint64_t MOST_LOOKED = (uint64_t)1 << 26; /* grants, in all plays: a second */

/* ---- what may meet ---- */

/* LOCKs of a rank that are alike. */
struct class
{
    int rank;
    const struct isp_call *call;
    bool keeps_out; /* a LOCK of another rank */
};

static bool is_epoch(const struct isp_call *c)
{
    return c->op == ISP_OP_LOCK && (c->mode == ISP_LOCK_SHARED || c->mode == ISP_LOCK_EXCLUSIVE);
}

static uint32_t class_of(struct class *classes, uint32_t *n, int rank, const struct isp_call *c)
{
    uint32_t i = 0;
    while (i < *n && (classes[i].rank != rank || classes[i].call->comm != c->comm ||
                      classes[i].call->peer != c->peer || classes[i].call->mode != c->mode))
        i++;
    if (i == *n && i < CLASSES)
        classes[(*n)++] = (struct class){.rank = rank, .call = c};
    return i;
}

static void meet(struct poe_mixed_visits *v, struct class *classes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            bool may =
                classes[i].rank != classes[k].rank && poe_visits_may_meet(classes[i].call, classes[k].call);
            v->meet |= may;
            classes[i].keeps_out |= may && is_epoch(classes[i].call);
        }
}

/* The rank calls a blocking send in an epoch that may keep others out. */
static bool sends_in_epoch(const struct poe_recorded_rank *r, int rank, struct class *classes, uint32_t n)
{
    bool open[CLASSES] = {false};
    for (uint32_t at = 0; at < r->n; at++) {
        const struct isp_call *c = &r->calls[at].call;
        bool waits = (c->flags & ISP_F_DETACHED) && poe_kept_may_be(c);
        if (!waits && c->op != ISP_OP_UNLOCK && !is_epoch(c))
            continue;
        for (uint32_t i = 0; i < n; i++) {
            const struct isp_call *lock = classes[i].call;
            bool it =
                classes[i].rank == rank && lock->comm == c->comm && lock->peer == c->peer && is_epoch(lock);
            if (waits && open[i])
                return true;
            if (it && c->op == ISP_OP_UNLOCK)
                open[i] = false;
            else if (it && is_epoch(c) && lock->mode == c->mode)
                open[i] = classes[i].keeps_out;
        }
    }
    return false;
}

void poe_mixed_visits_init(struct poe_mixed_visits *v, const struct poe_record *record, int ranks)
{
    struct class classes[CLASSES];
    uint32_t n = 0;
    bool many = false;
    *v = (struct poe_mixed_visits){.record = record};
    if (!record || record->too_long || record->threads)
        return;
    for (uint32_t i = 0; i < record->n_grants && !many; i++) {
        const struct poe_recorded_grant *g = &record->grants[i];
        many = class_of(classes, &n, g->rank, &record->ranks[g->rank].calls[g->at].call) == CLASSES;
    }
    if (!many)
        meet(v, classes, n);
    v->meet |= many;
    for (int rank = 0; rank < ranks && v->meet; rank++)
        v->send_in_epoch |= many || sends_in_epoch(&record->ranks[rank], rank, classes, n);
}

/* ---- plays ---- */

void poe_mixed_visits_start(struct poe_mixed_visits *v)
{
    uint32_t n = v->record->n_grants;
    v->granted = memset(poe_alloc(v->granted, n + 1), 0, n + 1);
    v->n_granted = v->first = 0;
}

static const struct isp_call *call_of(const struct poe_mixed_visits *v, uint32_t grant)
{
    const struct poe_recorded_grant *g = &v->record->grants[grant];
    return &v->record->ranks[g->rank].calls[g->at].call;
}

bool poe_mixed_visits_grant(struct poe_mixed_visits *v, int rank, uint32_t at)
{
    const struct poe_recorded_rank *r = &v->record->ranks[rank];
    if (at >= r->n || !r->calls[at].grant)
        return false;
    uint32_t grant = r->calls[at].grant - 1;
    for (uint32_t i = v->first; v->meet && i < grant; i++, v->looked++)
        if (v->looked > MOST_LOOKED || (!v->granted[i] && v->record->grants[i].rank != rank &&
                                        poe_visits_may_meet(call_of(v, i), &r->calls[at].call)))
            return false;
    v->granted[grant] = true;
    v->n_granted++;
    while (v->first < v->record->n_grants && v->granted[v->first])
        v->first++;
    return true;
}

bool poe_mixed_visits_are_all(const struct poe_mixed_visits *v)
{
    return v->n_granted == v->record->n_grants;
}

void poe_mixed_visits_finish(struct poe_mixed_visits *v) { free(v->granted); }

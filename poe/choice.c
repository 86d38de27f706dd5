/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Choice points: see choice.h. Receives are decided before waits and waits before polls (POE's
 * priority order), since a match only ever adds alternatives to a wait. Within a class the
 * lowest rank comes first, within a rank the lowest thread, and then program order: an earlier receive takes
 * its message before a later one is looked at.
 */
#include "choice.h"

#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "admission.h"
#include "cancel.h"
#include "communicator.h"
#include "cut.h"
#include "fence.h"
#include "match_set.h"
#include "matches_before.h"
#include "operation.h"
#include "poll.h"
#include "race.h"
#include "ready.h"
#include "record.h"
#include "visit.h"

/* Above this many (wildcard, possible source) pairs the search over ranks runs in parallel:
 * below it starting the threads costs more than they save (`./dev bench threads`). */
#ifndef PARALLEL_FROM /* the benchmark wants threads at every size */
#define PARALLEL_FROM (1 << 18)
#endif
/* Waitsome over more complete operations than this: single ones and all of them, not every subset. */
enum { SUBSETS_UP_TO = 10 };

enum class { RECEIVE, PROBE, WAIT, POLL, CANCEL, NONE };

/* ---- which transition ---- */

static bool has_message(struct poe *poe, const struct poe_op *op, const uint64_t *skip)
{
    struct poe_comm *comm = poe_comm_find(poe, op->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, op->t.rank);
    if (op->t.call.peer == ISP_ANY_SOURCE)
        return mb_enabled_any(inbox, op, skip);
    return !poe_bit(skip, (uint32_t)op->t.call.peer) && mb_enabled(inbox, op, op->t.call.peer);
}

static bool has_completion(const struct poe_op *op, const uint64_t *skip)
{
    if (op->t.call.mode == ISP_COMPLETE_ALL && op->missing)
        return false;
    for (uint32_t i = 0; i < op->t.call.n; i++)
        if (op->waits[i]->t.completed && !poe_bit(skip, i))
            return true;
    return false;
}

/* What the program has seen to be there (an earlier probe found the message, MPI_Request_get_status
 * said true) cannot be denied again; nor can what waits for nobody (MPI_PROC_NULL). */
static bool must_say_yes(struct poe *poe, const struct poe_op *op)
{
    if (op->t.call.op == ISP_OP_COMPLETE)
        return poe_fence_is_known(op);
    struct poe_comm *comm = poe_comm_find(poe, op->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, op->t.rank);
    for (uint32_t i = 0; i < inbox->n_channels; i++) {
        bool wanted = op->t.call.peer == ISP_ANY_SOURCE || op->t.call.peer == inbox->channels[i].source;
        const struct poe_op *send = wanted ? mb_enabled_in(inbox, op, &inbox->channels[i]) : NULL;
        if (send && send->seen & poe_thread_bit(op))
            return true;
    }
    return false;
}

/* A poll for which `not yet` is an alternative. */
static bool may_say_no(struct poe *poe, const struct poe_op *op, bool asleep)
{
    return (op->t.call.flags & ISP_F_POLL) && !poe_fence_waits(op) && (asleep || !op->slept_no) &&
           !must_say_yes(poe, op);
}

/* The class of a rank's fence if it has an alternative; `asleep`: those that were put off count too. */
static enum class fence_class(struct poe *poe, const struct poe_op *op, bool asleep) {
    const uint64_t *skip = asleep ? NULL : op->slept; bool says_no = may_say_no(poe, op, asleep);
    switch (op->t.call.op){
        case ISP_OP_PROBE :
                    if (poe_fence_waits(op)) return poe_op_is_wildcard(op) && has_message(poe, op, skip)
            ? PROBE
            : NONE;
        return says_no || has_message(poe, op, skip) ? POLL : NONE;
        case ISP_OP_COMPLETE : if (poe_fence_is_deterministic(op)) return NONE;
        if (poe_fence_waits(op)) return has_completion(op, skip) ? WAIT : NONE;
        return says_no || has_completion(op, skip) ? POLL : NONE;
        case ISP_OP_CANCEL : return asleep || !op->slept_no ? CANCEL : NONE;
        default : return NONE;
    }
}

static struct poe_op *rank_candidate(struct poe *poe, int rank, enum class *class)
{
    struct poe_rank *r = &poe->ranks[rank];
    struct poe_op *best = NULL;
    *class = NONE;
    if (r->stopped)
        return NULL;
    for (struct poe_op *op = r->wild_first; op; op = op->wild_next)
        if (has_message(poe, op, op->slept)) {
            *class = RECEIVE;
            return op;
        }
    for (uint32_t i = 0; i < r->n_threads; i++) {
        struct poe_op *fence = r->threads[i].fence;
        enum class its = fence && !fence->awaits ? fence_class(poe, fence, false) : NONE;
        if (its < *class || (its == *class && best && fence->entered_at < best->entered_at))
            *class = its, best = fence;
    }
    for (struct poe_op *op = r->wild_first; op && *class == NONE; op = op->wild_next)
        if (op->marked && !op->slept_no)
            *class = CANCEL, best = op;
    return best;
}

struct candidate {
    enum class class;
    int rank;
};

static bool comes_first(struct candidate a, struct candidate b)
{
    return a.class < b.class || (a.class == b.class && a.rank < b.rank);
}

/* Of the ranks first, first + step ... */
static struct candidate candidate_of(struct poe *poe, int first, int step)
{
    struct candidate best = {.class = NONE};
    for (int rank = first; rank < poe->config.ranks; rank += step) {
        struct candidate it = {.rank = rank};
        rank_candidate(poe, rank, &it.class);
        if (comes_first(it, best))
            best = it;
    }
    return best;
}

static struct poe_op *candidate(struct poe *poe)
{
    struct candidate best = {.class = NONE};
#ifdef _OPENMP
    bool parallel = poe->config.threads != 1 && poe->wildcards * (uint64_t)poe->config.ranks >= PARALLEL_FROM;
    if (parallel) {
        int threads = poe->config.threads ? (int)poe->config.threads : omp_get_max_threads();
#pragma omp parallel num_threads(threads)
        {
            struct candidate own = candidate_of(poe, omp_get_thread_num(), omp_get_num_threads());
#pragma omp critical
            if (comes_first(own, best))
                best = own;
        }
        return best.class == NONE ? NULL : rank_candidate(poe, best.rank, &best.class);
    }
#endif
    best = candidate_of(poe, 0, 1);
    return best.class == NONE ? NULL : rank_candidate(poe, best.rank, &best.class);
}

bool poe_choice_is_put_off(struct poe *poe)
{
    if (poe->admissions)
        return true;
    for (int rank = 0; rank < poe->config.ranks; rank++) {
        struct poe_rank *r = &poe->ranks[rank];
        for (struct poe_op *op = r->wild_first; op; op = op->wild_next)
            if (op->put_off && (op->marked || has_message(poe, op, NULL)))
                return true;
        for (uint32_t i = 0; i < r->n_threads; i++) {
            struct poe_op *fence = r->threads[i].fence;
            if (!fence || fence->awaits)
                continue;
            if (poe_visit_is_put_off(fence) || (fence->put_off && fence_class(poe, fence, true) != NONE))
                return true;
        }
    }
    return false;
}

/* ---- its alternatives ---- */

static struct poe_alternative *add(struct poe *poe, enum poe_alternative_kind kind)
{
    poe->alternatives = poe_arena_grow(poe->arena, poe->alternatives, &poe->alternatives_room,
                                       poe->choice.n + 1, sizeof *poe->alternatives);
    struct poe_alternative *a = &poe->alternatives[poe->choice.n++];
    *a = (struct poe_alternative){.kind = kind, .source = ISP_NO_RANK};
    return a;
}

static void add_messages(struct poe *poe, const struct poe_op *op)
{
    struct poe_comm *comm = poe_comm_find(poe, op->t.call.comm);
    struct poe_inbox *inbox = poe_comm_inbox(comm, op->t.rank);
    for (uint32_t i = 0; i < inbox->n_channels; i++) {
        int source = inbox->channels[i].source;
        bool wanted = op->t.call.peer == ISP_ANY_SOURCE || op->t.call.peer == source;
        struct poe_op *send = wanted && !poe_bit(op->slept, (uint32_t)source)
                                  ? mb_enabled_in(inbox, op, &inbox->channels[i])
                                  : NULL;
        if (!send)
            continue;
        struct poe_alternative *a = add(poe, POE_TAKE_MESSAGE);
        a->source = source;
        a->source_index = send->t.index;
        a->send = &send->t;
    }
}

/* Positions are kept as offsets until all alternatives are there (the array may move). */
static void add_positions(struct poe *poe, const uint32_t *positions, uint32_t n)
{
    struct poe_alternative *a = add(poe, POE_TAKE_SUBSET);
    a->source_index = poe->n_positions;
    a->n = n;
    poe->positions = poe_arena_grow(poe->arena, poe->positions, &poe->positions_room, poe->n_positions + n,
                                    sizeof *poe->positions);
    if (n)
        memcpy(poe->positions + poe->n_positions, positions, n * sizeof *positions);
    poe->n_positions += n;
}

/* Complete positions, those that were not put off first; *fresh: how many those are. */
static uint32_t complete_positions(const struct poe_op *op, uint32_t *positions, uint32_t *fresh)
{
    uint32_t n = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < op->t.call.n; i++)
            if (op->waits[i]->t.completed && poe_bit(op->slept, i) == (pass == 1))
                positions[n++] = i;
        if (pass == 0)
            *fresh = n;
    }
    return n;
}

static void sort_positions(uint32_t *p, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t j = i; j > 0 && p[j - 1] > p[j]; j--) {
            uint32_t swap = p[j];
            p[j] = p[j - 1];
            p[j - 1] = swap;
        }
}

/* Every subset with at least one fresh position, the whole set first; above a small size the whole set
 * and the single fresh ones. */
static void add_subsets(struct poe *poe, uint32_t *positions, uint32_t n, uint32_t fresh)
{
    uint32_t subset[SUBSETS_UP_TO];
    if (n > SUBSETS_UP_TO) {
        uint32_t singles = fresh;
        poe_cut_note(poe, POE_CUT_SUBSETS, poe_op_of(poe->choice.transition));
        for (uint32_t i = 0; i < singles; i++)
            add_positions(poe, &positions[i], 1);
        sort_positions(positions, n);
        add_positions(poe, positions, n);
        return;
    }
    for (uint32_t mask = (1u << n) - 1; mask > 0; mask--) {
        uint32_t size = 0;
        for (uint32_t i = 0; i < n; i++)
            if (mask >> i & 1)
                subset[size++] = positions[i];
        if (!(mask & ((1u << fresh) - 1)))
            continue;
        sort_positions(subset, size);
        add_positions(poe, subset, size);
    }
}

static void add_completions(struct poe *poe, struct poe_op *op)
{
    uint32_t fresh, n = complete_positions(op, op->taken, &fresh);
    switch (op->t.call.mode) {
    case ISP_COMPLETE_ALL:
        if (op->missing == 0)
            add_positions(poe, op->taken, n);
        break;
    case ISP_COMPLETE_ANY:
        for (uint32_t i = 0; i < fresh; i++)
            add_positions(poe, &op->taken[i], 1);
        break;
    default:
        if (fresh)
            add_subsets(poe, op->taken, n, fresh);
    }
}

static uint64_t signature(const struct poe *poe)
{
    const struct poe_choice *c = &poe->choice;
    uint64_t s = poe_mix(poe->signature, poe_mix((uint64_t)c->transition->rank, c->transition->index));
    for (unsigned i = 0; i < c->n; i++) {
        const struct poe_alternative *a = &c->alternatives[i];
        s = poe_mix(s, poe_mix((uint64_t)a->kind, poe_mix((uint64_t)a->source, a->source_index)));
        for (uint32_t k = 0; k < a->n; k++)
            s = poe_mix(s, a->positions[k]);
    }
    return s;
}

bool poe_choice_find(struct poe *poe)
{
    struct poe_op *op = candidate(poe);
    if (!op)
        return false;
    poe->choice = (struct poe_choice){.transition = &op->t, .number = poe->n_decisions};
    poe->n_positions = 0;
    if (op->t.call.op == ISP_OP_RECV || op->t.call.op == ISP_OP_PROBE)
        add_messages(poe, op);
    else if (op->t.call.op == ISP_OP_COMPLETE)
        add_completions(poe, op);
    if (op->t.call.op == ISP_OP_CANCEL || (op->marked && !op->slept_no))
        add(poe, POE_CANCEL);
    if (may_say_no(poe, op, false))
        add(poe, POE_NOT_YET);
    for (unsigned i = 0; i < poe->choice.n; i++)
        if (poe->alternatives[i].kind == POE_TAKE_SUBSET) {
            poe->alternatives[i].positions = poe->positions + poe->alternatives[i].source_index;
            poe->alternatives[i].source_index = 0;
        }
    poe->choice.alternatives = poe->alternatives;
    poe->choice.signature = signature(poe);
    return true;
}

/* ---- decisions ---- */

static void sleep_bit(struct poe *poe, struct poe_op *op, uint32_t bit)
{
    if (!op->slept) {
        uint32_t bits =
            (uint32_t)poe->config.ranks > op->t.call.n ? (uint32_t)poe->config.ranks : op->t.call.n;
        size_t bytes = (bits + 63) / 64 * sizeof *op->slept;
        op->slept = poe_arena_new(poe->arena, bytes);
    }
    op->slept[bit / 64] |= (uint64_t)1 << (bit % 64);
}

static void put_off(struct poe *poe, struct poe_op *op)
{
    op->put_off = true;
    for (unsigned i = 0; i < poe->choice.n; i++) {
        const struct poe_alternative *a = &poe->choice.alternatives[i];
        if (a->kind == POE_TAKE_MESSAGE)
            sleep_bit(poe, op, (uint32_t)a->source);
        else if (a->kind == POE_TAKE_SUBSET)
            for (uint32_t k = 0; k < a->n; k++)
                sleep_bit(poe, op, a->positions[k]);
        else
            op->slept_no = true;
    }
}

static void take(struct poe *poe, struct poe_op *op, const struct poe_alternative *a)
{
    switch (a->kind) {
    case POE_TAKE_MESSAGE:
        if (op->t.call.op == ISP_OP_RECV) {
            struct poe_comm *comm = poe_comm_find(poe, op->t.call.comm);
            poe_match_claim(poe, poe_op_of(a->send), op);
            poe_match_rescan(poe, comm, poe_comm_inbox(comm, op->t.rank));
        } else {
            poe_match_claim_probe(poe, poe_op_of(a->send), op);
        }
        break;
    case POE_TAKE_SUBSET:
        op->answer = POE_ANSWER_YES;
        op->n_taken = a->n;
        memcpy(op->taken, a->positions, a->n * sizeof *op->taken);
        poe_ready_fence(poe, op);
        break;
    case POE_NOT_YET:
        poe_poll_denied(poe, op, a != poe->choice.alternatives);
        op->answer = POE_ANSWER_NOT_YET;
        poe_ready_fence(poe, op);
        break;
    case POE_CANCEL: poe_cancel_take(poe, op); break;
    case POE_ADMIT: /* poe_decide */
    case POE_GRANT: /* visit.h */ break;
    }
}

void poe_decide(struct poe *poe, unsigned k)
{
    struct poe_op *op = poe_op_of(poe->choice.transition);
    poe->pending_choice = false;
    poe->turned_off += k > 0;
    bool visit = poe->choice.alternatives[0].kind == POE_GRANT;
    if (!visit)
        poe->grants_in_a_row = 0, poe_thread_of(poe, op)->spins = false;
    if (poe->choice.alternatives[0].kind == POE_ADMIT) {
        poe_admission_decide(poe, k == 0);
    } else if (visit) {
        poe_visit_decide(poe, op, k < poe->choice.n);
    } else if (k < poe->choice.n) {
        poe_race_decided(poe, op);
        poe_record_decision(poe, op, &poe->choice.alternatives[k]);
        take(poe, op, &poe->choice.alternatives[k]);
    } else {
        put_off(poe, op);
    }
    poe->signature = poe_mix(poe->choice.signature, k);
    poe->n_decisions++;
}

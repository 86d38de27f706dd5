/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory is flat in the length of a run: a rank's records go into one rolling hash, of which at most 4096
 * values are kept, at positions whose spacing doubles when the room is full. Choice points keep one value
 * and the number of records per rank, so a shared prefix is compared exactly at its end.
 *
 * The hash takes nothing that may differ between equal runs: no addresses, and no handles or communicator
 * numbers, since it depends on time when a slot is free again. A handle stands for the index of the record
 * that took the slot; a communicator for its key. READY is left out: when several threads call MPI_Pready, it
 * is recorded by the last of them.
 */
#include "replay_check.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "poe/poe.h"
#include "run/run.h"

enum { KEPT = 4096 };

/* The first n_ranks trails are those of the ranks' threads 0; other threads get one with their first
 * record. */
struct trail {
    int rank;
    uint16_t thread;
    uint64_t hash, records; /* of this run */
    uint64_t limit;         /* up to this record the run before is binding */
    uint64_t spacing;       /* kept[i] is the hash after record (i + 1) * spacing */
    uint64_t *kept;
    unsigned n_kept;
    uint64_t *slots; /* of thread 0, for its rank: handle -> thread and index of the record that took it */
    uint32_t n_slots;
    bool differs;
};

struct mark {
    uint64_t hash, records;
};

struct sched_replay_check {
    int ranks, n_trails, trails_room;
    struct trail *trails;
    struct mark *marks; /* [choice point * trails_room + trail] */
    unsigned n_marks, room;
    int differs;        /* the rank that did something else in this run, or -1 ... */
    struct isp_call at; /* ... and its call; op 0: it was seen at a choice point */
};

struct sched_replay_check *sched_replay_check_create(int ranks)
{
    struct sched_replay_check *c = sched_alloc(1, sizeof *c);
    c->differs = -1;
    c->ranks = c->n_trails = c->trails_room = ranks;
    c->trails = sched_alloc((size_t)ranks, sizeof *c->trails);
    for (int i = 0; i < ranks; i++)
        c->trails[i] = (struct trail){.rank = i, .spacing = 1};
    return c;
}

void sched_replay_check_destroy(struct sched_replay_check *check)
{
    if (!check)
        return;
    for (int i = 0; i < check->n_trails; i++) {
        free(check->trails[i].kept);
        free(check->trails[i].slots);
    }
    free(check->trails);
    free(check->marks);
    free(check);
}

void sched_replay_check_begin(struct sched_replay_check *check, unsigned forced)
{
    check->differs = -1;
    bool binding = forced > 0 && forced <= check->n_marks;
    for (int i = 0; i < check->n_trails; i++) {
        struct trail *t = &check->trails[i];
        t->limit =
            binding ? check->marks[(size_t)(forced - 1) * (size_t)check->trails_room + (size_t)i].records : 0;
        t->hash = 0;
        t->records = 0;
        t->differs = false;
        if (!binding) {
            t->spacing = 1;
            t->n_kept = 0;
        }
    }
    check->n_marks = binding ? forced : 0;
}

/* ---- going back ---- */

/* Of each trail: threads that are over by then have made records too. */
struct sched_replay_state {
    int n;
    struct point {
        uint64_t hash, records, *slots;
        uint32_t n_slots;
    } of[];
};

struct sched_replay_state *sched_replay_check_save(const struct sched_replay_check *check)
{
    struct sched_replay_state *s = sched_alloc(1, sizeof *s + (size_t)check->n_trails * sizeof *s->of);
    s->n = check->n_trails;
    for (int i = 0; i < s->n; i++) {
        const struct trail *t = &check->trails[i];
        s->of[i] = (struct point){t->hash, t->records, sched_alloc(t->n_slots, sizeof *t->slots), t->n_slots};
        if (t->n_slots)
            memcpy(s->of[i].slots, t->slots, t->n_slots * sizeof *t->slots);
    }
    return s;
}

void sched_replay_check_restore(struct sched_replay_check *check, const struct sched_replay_state *state)
{
    check->differs = -1;
    for (int i = state->n; i < check->n_trails; i++) /* threads that have called MPI later only */
        check->trails[i].hash = check->trails[i].records = 0;
    for (int i = 0; i < state->n; i++) {
        struct trail *t = &check->trails[i];
        t->hash = state->of[i].hash;
        t->records = state->of[i].records;
        if (state->of[i].n_slots) /* there are never fewer */
            memcpy(t->slots, state->of[i].slots, state->of[i].n_slots * sizeof *t->slots);
        for (uint32_t k = state->of[i].n_slots; k < t->n_slots; k++)
            t->slots[k] = ~0ull;
    }
}

void sched_replay_state_destroy(struct sched_replay_state *state)
{
    for (int i = 0; state && i < state->n; i++)
        free(state->of[i].slots);
    free(state);
}

/* ---- the hash ---- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 32);
}

static uint64_t slot(const struct trail *t, uint32_t handle)
{
    return handle < t->n_slots ? t->slots[handle] : ~0ull;
}

static void take_slot(struct trail *t, uint32_t handle, uint64_t taker)
{
    if (handle >= ISP_HANDLES_MAX)
        return; /* poe refuses it */
    if (handle >= t->n_slots) {
        uint32_t n = handle < 32 ? 64 : 2 * handle;
        t->slots = sched_grow(t->slots, n, sizeof *t->slots);
        for (uint32_t i = t->n_slots; i < n; i++)
            t->slots[i] = ~0ull;
        t->n_slots = n;
    }
    t->slots[handle] = taker;
}

/* `rank`: the trail that knows its rank's slots. */
static uint64_t hash_call(const struct trail *t, const struct trail *rank, const struct isp_call *c,
                          uint32_t site, uint64_t comm_key)
{
    uint32_t flags = c->flags & ISP_F_POLL || c->op == ISP_OP_LOCK
                         ? c->flags & ~(uint32_t)(ISP_F_CHANGED | ISP_F_UNSEEN)
                         : c->flags; /* it may have been stopped for long */
    uint64_t h = mix(t->hash, (uint64_t)c->op | (uint64_t)c->mode << 8 | (uint64_t)flags << 16 |
                                  (uint64_t)c->fn << 32 | (uint64_t)c->flow << 48);
    h = mix(h, site);
    h = mix(h, comm_key);
    h = mix(h, (uint64_t)(uint32_t)c->peer | (uint64_t)(uint32_t)c->tag << 32);
    h = mix(h, (uint64_t)(uint32_t)c->root | (uint64_t)c->redop << 32);
    /* its color is a number: see comm_key */
    bool inter = c->op == ISP_OP_COLLECTIVE && c->mode == ISP_MAKE_INTER;
    h = mix(h, (uint64_t)(uint32_t)(inter ? 0 : c->color) | (uint64_t)(uint32_t)c->key << 32);
    h = mix(h, c->bytes);
    h = mix(h, (uint64_t)c->type | (uint64_t)c->taken_type << 32);
    h = mix(h, c->count);
    h = mix(h, c->taken_count);
    bool handles = c->op == ISP_OP_COMPLETE || c->op == ISP_OP_RECV || c->op == ISP_OP_JOIN;
    for (uint32_t i = 0; i < c->n; i++)
        h = mix(h, handles ? slot(rank, c->list[i]) : c->list[i]);
    for (uint64_t i = c->n, end = isp_call_words(c); i < end; i++)
        h = mix(h, c->list[i]);
    if (c->op == ISP_OP_CANCEL || c->op == ISP_OP_FREE)
        h = mix(h, slot(rank, c->handle));
    return h;
}

/* ---- the trail ---- */

static void thin_out(struct trail *t)
{
    for (unsigned i = 1; i < t->n_kept; i += 2)
        t->kept[i / 2] = t->kept[i];
    t->n_kept /= 2;
    t->spacing *= 2;
}

static void keep(struct trail *t)
{
    if (t->records % t->spacing)
        return;
    uint64_t at = t->records / t->spacing - 1;
    if (at >= KEPT) {
        thin_out(t);
        if (t->records % t->spacing)
            return;
        at = t->records / t->spacing - 1;
    }
    if (!t->kept)
        t->kept = sched_alloc(KEPT, sizeof *t->kept);
    t->kept[at] = t->hash;
    t->n_kept = (unsigned)at + 1;
}

static bool as_before(const struct trail *t)
{
    uint64_t at = t->records / t->spacing;
    return t->records % t->spacing || at > t->n_kept || t->kept[at - 1] == t->hash;
}

/* Room for more threads: the marks are laid out anew. What was marked without a thread has no records of
 * it. */
static void make_room(struct sched_replay_check *c)
{
    size_t old = (size_t)c->trails_room, more = 2 * old;
    struct mark *marks = c->room ? sched_alloc(c->room * more, sizeof *marks) : NULL;
    for (size_t i = 0; i < c->n_marks; i++)
        memcpy(&marks[i * more], &c->marks[i * old], old * sizeof *marks);
    free(c->marks);
    c->marks = marks;
    c->trails = sched_grow(c->trails, more, sizeof *c->trails);
    c->trails_room = (int)more;
}

static struct trail *trail_of(struct sched_replay_check *c, int rank, uint16_t thread)
{
    if (thread == 0)
        return &c->trails[rank];
    for (int i = c->ranks; i < c->n_trails; i++)
        if (c->trails[i].rank == rank && c->trails[i].thread == thread)
            return &c->trails[i];
    if (c->n_trails == c->trails_room)
        make_room(c);
    struct trail *t = &c->trails[c->n_trails++];
    *t = (struct trail){.rank = rank, .thread = thread, .spacing = 1};
    for (unsigned i = 0; i < c->n_marks; i++)
        c->marks[(size_t)i * (size_t)c->trails_room + (size_t)(t - c->trails)] = (struct mark){0};
    return t;
}

bool sched_replay_check_record(struct sched_replay_check *check, int rank, const struct isp_call *call,
                               uint32_t site, uint64_t comm_key)
{
    if (call->op == ISP_OP_READY)
        return true;
    struct trail *t = trail_of(check, rank, call->thread), *slots = &check->trails[rank];
    t->hash = hash_call(t, slots, call, site, comm_key);
    if (isp_call_has_slot(call))
        take_slot(slots, call->handle, (uint64_t)call->thread << 48 | t->records);
    t->records++;
    if (t->records > t->limit) {
        keep(t);
        return true;
    }
    if (t->differs || as_before(t))
        return true;
    t->differs = true;
    return false;
}

uint64_t sched_replay_check_digest(const struct sched_replay_check *check)
{
    uint64_t digest = 0;
    for (int i = 0; i < check->n_trails; i++)
        digest = mix(mix(digest, check->trails[i].hash), check->trails[i].records);
    return digest ? digest : 1;
}

int sched_replay_check_choice(struct sched_replay_check *check, unsigned number)
{
    size_t n = (size_t)check->trails_room;
    if (number < check->n_marks) {
        const struct mark *m = &check->marks[number * n];
        for (int i = 0; i < check->n_trails; i++)
            if (!check->trails[i].differs &&
                (m[i].records != check->trails[i].records || m[i].hash != check->trails[i].hash)) {
                check->trails[i].differs = true;
                return check->trails[i].rank;
            }
        return -1;
    }
    if (number >= check->room) {
        check->room = check->room ? 2 * check->room : 64;
        while (number >= check->room)
            check->room *= 2;
        check->marks = sched_grow(check->marks, check->room * n, sizeof *check->marks);
    }
    for (int i = 0; i < check->n_trails; i++)
        check->marks[number * n + (size_t)i] = (struct mark){check->trails[i].hash, check->trails[i].records};
    check->n_marks = number + 1;
    return -1;
}

/* ---- as a listener ---- */

/* What stands for the communicators that a record names, alike in every run. */
static uint64_t comm_key(const struct poe *poe, int rank, const struct isp_call *call)
{
    uint64_t key = call->comm == ISP_NO_COMM ? 0 : poe_comm_key(poe, call->comm);
    if (call->op == ISP_OP_COLLECTIVE && call->mode == ISP_MAKE_INTER && call->root == rank)
        key = 31 * key + poe_comm_key(poe, call->color);
    return key;
}

static void hear_call(void *self, struct sched_run *run, int rank, const struct isp_call *call)
{
    struct sched_replay_check *c = self;
    bool same = sched_replay_check_record(c, rank, call, call->site, comm_key(run->poe, rank, call));
    if (same || c->differs >= 0)
        return;
    c->differs = rank;
    c->at = *call;
}

static void hear_choice(void *self, struct sched_run *run, const struct poe_choice *choice)
{
    struct sched_replay_check *c = self;
    int other = sched_replay_check_choice(c, choice->number);
    if (other < 0 || c->differs >= 0)
        return;
    c->differs = other;
    c->at = (struct isp_call){0};
}

const struct sched_listener sched_replay_check_listener = {.call = hear_call, .choice = hear_choice};

int sched_replay_check_differs(const struct sched_replay_check *check, const struct isp_call **at)
{
    *at = check->at.op ? &check->at : NULL;
    return check->differs;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States: see states.h.
 *
 * A *frame* is a choice point of the present run, by its number. What shows up is added to the last frame
 * when it shows up, with the ranks whose state there it depends on: those of which its clock knows a call
 * after it. When a frame is closed its things go to the one above, by `flow`: on whose state there each
 * rank's state here depends. So each is handled once on its way up, however deep the run is. What a message
 * that was pending at a choice point has told its receiver since is not counted: less than is true.
 *
 * Both kinds of clocks are kept apart: what depends on a rank without buffers need not with them.
 */
#include "states.h"

#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "memory.h"
#include "race.h"
#include "shown.h"
#include "state.h"
#include "state_key.h"

enum {
    MOST_THINGS = 4096, /* of one summary */
    FIRST_SLOTS = 1024,
    FIRST_INDEX = 16,
};

/* A thing that shows up. Its sets of ranks follow: for ZERO, then for INFINITE. */
struct thing {
    uint32_t kind, handle, born;
    int32_t rank, comm, peer, tag;
    uint32_t unused;
    uint64_t sets[];
};

struct summary {
    uint64_t *things;
    uint32_t n, room; /* room: in words */
    bool many;        /* more than there is room for */
    uint32_t *index;  /* by hash_of: the number of a thing, plus 1; 0: free */
    uint32_t slots;   /* of the index, a power of two; at most half are used */
};

/* Most states have a summary that others have as well: it is kept once. */
struct shared {
    uint64_t hash;
    uint32_t n, words;
    uint64_t things[];
};

struct frame {
    struct poe_key key;
    bool keyed, whole;
    bool below_keyed; /* some frame above has a key, and may be kept with what shows up here */
    unsigned asked;   /* what something below depends on (enum poe_question) */
    bool standard;    /* something there completes earlier with buffering */
    uint64_t answers[POE_QUESTIONS];
    void *open;
    struct summary below;
    uint64_t *flow; /* for each kind and rank a set */
};

struct entry {
    struct poe_key key;
    bool used;
    unsigned asked; /* whose answers are in `key` */
    bool standard;
    void *kept;
    const struct shared *below;
};

struct poe_states {
    int ranks;
    uint32_t words; /* of a set */
    size_t thing;   /* words of a thing */
    struct poe_states_owner owner;
    struct frame *frames;
    uint32_t n_frames, frames_room;
    struct entry *table;
    size_t n, slots, bytes, most;
    struct shared **summaries;
    size_t n_summaries, summary_slots;
    bool full;
};

struct poe_states *poe_states_create(int ranks, size_t most_bytes, const struct poe_states_owner *owner)
{
    struct poe_states *s = poe_alloc(NULL, sizeof *s);
    uint32_t words = ((uint32_t)ranks + 63) / 64;
    *s = (struct poe_states){.ranks = ranks,
                             .words = words,
                             .thing = sizeof(struct thing) / sizeof(uint64_t) + 2 * (size_t)words,
                             .most = most_bytes};
    if (owner)
        s->owner = *owner;
    return s;
}

/* ---- summaries ---- */

static struct thing *thing_at(const struct poe_states *s, const struct summary *in, uint32_t i)
{
    return (struct thing *)(in->things + i * s->thing);
}

static uint64_t *set_of(const struct poe_states *s, const struct thing *t, int kind)
{
    return (uint64_t *)t->sets + (size_t)kind * s->words;
}

static bool is_subset(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        if (a[i] & ~b[i])
            return false;
    return true;
}

/* Whatever b races with, and matters for, a does too. */
static bool says_as_much(const struct poe_states *s, const struct thing *a, const struct thing *b)
{
    return memcmp(a, b, sizeof *a) == 0 &&
           memcmp(set_of(s, a, POE_CLOCK_ZERO), set_of(s, b, POE_CLOCK_ZERO), s->words * sizeof(uint64_t)) ==
               0 &&
           is_subset(set_of(s, a, POE_CLOCK_INFINITE), set_of(s, b, POE_CLOCK_INFINITE), s->words);
}

/* Of what is the same in things of which one says as much as another. */
static uint64_t hash_of(const struct poe_states *s, const struct thing *t)
{
    const uint64_t *set = set_of(s, t, POE_CLOCK_ZERO);
    uint64_t words[sizeof *t / sizeof(uint64_t)], hash = 0;
    memcpy(words, t, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = poe_mix(hash, words[i]);
    for (uint32_t i = 0; i < s->words; i++)
        hash = poe_mix(hash, set[i]);
    return hash;
}

static void enter(const struct poe_states *s, struct summary *to, uint32_t i)
{
    uint32_t at = (uint32_t)hash_of(s, thing_at(s, to, i)) & (to->slots - 1);
    while (to->index[at])
        at = (at + 1) & (to->slots - 1);
    to->index[at] = i + 1;
}

static void make_room_for_thing(const struct poe_states *s, struct summary *to)
{
    to->things = poe_grow(to->things, &to->room, (to->n + 1) * (uint32_t)s->thing, sizeof *to->things);
    if (2 * (to->n + 1) <= to->slots)
        return;
    to->slots = to->slots ? 2 * to->slots : FIRST_INDEX;
    free(to->index);
    to->index = poe_alloc(NULL, to->slots * sizeof *to->index);
    memset(to->index, 0, to->slots * sizeof *to->index);
    for (uint32_t i = 0; i < to->n; i++)
        enter(s, to, i);
}

static void add(const struct poe_states *s, struct summary *to, const struct thing *t)
{
    uint32_t at = to->slots ? (uint32_t)hash_of(s, t) & (to->slots - 1) : 0;
    for (; to->slots && to->index[at]; at = (at + 1) & (to->slots - 1)) {
        struct thing *other = thing_at(s, to, to->index[at] - 1);
        if (says_as_much(s, other, t))
            return;
        if (says_as_much(s, t, other)) {
            memcpy(other, t, s->thing * sizeof(uint64_t));
            return;
        }
    }
    if (to->n == MOST_THINGS) {
        to->many = true;
        return;
    }
    make_room_for_thing(s, to);
    memcpy(to->things + to->n * s->thing, t, s->thing * sizeof(uint64_t));
    enter(s, to, to->n++);
}

/* The ranks of which the clock knows a call that was made after so many decisions. */
static void set_by_clock(const struct poe_states *s, const struct poe *poe, const struct poe_clock *clock,
                         int kind, unsigned decisions, uint64_t *set)
{
    memset(set, 0, s->words * sizeof *set);
    for (int rank = 0; rank < s->ranks; rank++)
        if (poe_shown_stamp(poe, clock, kind, rank) >= decisions)
            set[rank / 64] |= (uint64_t)1 << (rank % 64);
}

/* The thing as the frame above sees it; false: it was not there. */
static bool go_up(const struct poe_states *s, const struct frame *from, uint32_t number,
                  const struct thing *t, struct thing *above)
{
    if (t->kind == POE_SHOWN_COMPLETION && t->born >= number)
        return false;
    memcpy(above, t, s->thing * sizeof(uint64_t));
    for (int kind = 0; kind < 2; kind++) {
        const uint64_t *set = set_of(s, t, kind);
        uint64_t *to = set_of(s, above, kind);
        memset(to, 0, s->words * sizeof *to);
        for (int rank = 0; rank < s->ranks; rank++)
            if (set[rank / 64] >> (rank % 64) & 1)
                for (uint32_t i = 0; i < s->words; i++)
                    to[i] |= from->flow[((size_t)kind * (size_t)s->ranks + (size_t)rank) * s->words + i];
    }
    return true;
}

/* `number`: of the frame. */
static void pass_up(struct poe_states *s, const struct frame *from, uint32_t number,
                    const struct summary *below)
{
    if (number == 0 || !from->below_keyed)
        return;
    struct frame *above = &s->frames[number - 1];
    struct thing *copy = poe_alloc(NULL, s->thing * sizeof(uint64_t));
    above->below.many |= below->many;
    for (uint32_t i = 0; i < below->n && !above->below.many; i++)
        if (go_up(s, from, number, thing_at(s, below, i), copy))
            add(s, &above->below, copy);
    free(copy);
}

/* ---- what shows up ---- */

static void note_one(struct poe_states *s, struct poe *poe, const struct poe_shown *shown, struct thing *t)
{
    if (shown->at > s->n_frames || shown->at == 0)
        return; /* of what is shared with others */
    *t = (struct thing){.kind = shown->kind, .rank = shown->rank};
    if (shown->kind == POE_SHOWN_MESSAGE)
        t->comm = shown->comm, t->peer = shown->peer, t->tag = shown->tag;
    else
        t->handle = shown->handle, t->born = shown->born;
    for (int kind = 0; kind < 2; kind++)
        set_by_clock(s, poe, shown->clock, kind, shown->at, set_of(s, t, kind));
    add(s, &s->frames[shown->at - 1].below, t);
}

static void ask(struct poe_states *s, unsigned questions, bool standard)
{
    for (uint32_t i = 0; i < s->n_frames; i++) {
        s->frames[i].asked |= questions;
        s->frames[i].standard |= standard;
    }
}

void poe_states_note(struct poe_states *s, struct poe *poe)
{
    struct thing *t = poe_alloc(NULL, s->thing * sizeof(uint64_t));
    for (uint32_t i = 0; i < poe->n_shown; i++)
        note_one(s, poe, &poe->shown[i], t);
    free(t);
    poe_shown_forget(poe);
    if (poe->odd)
        poe_states_spoil(s, s->n_frames);
    for (uint32_t i = poe->short_from; i < s->n_frames; i++) /* it was pending there */
        s->frames[i].whole = false;
    poe->short_from = POE_NEVER_SHORT;
    ask(s, poe->asked, poe->standard_sends);
    poe->asked = 0;
}

/* ---- the table ---- */

static struct entry *find(const struct poe_states *s, const struct poe_key *key)
{
    size_t at = (size_t)key->low & (s->slots - 1);
    while (s->table[at].used && (s->table[at].key.low != key->low || s->table[at].key.high != key->high))
        at = (at + 1) & (s->slots - 1);
    return &s->table[at];
}

/* False: there is none. The table may be by far the largest thing that there is, and one can do without. */
static bool make_room(struct poe_states *s)
{
    if (2 * (s->n + 1) <= s->slots)
        return true;
    struct entry *old = s->table;
    size_t slots = s->slots, wanted = slots ? 2 * slots : FIRST_SLOTS;
    struct entry *table = calloc(wanted, sizeof *table);
    if (!table)
        return false;
    s->table = table;
    s->slots = wanted;
    s->bytes += (s->slots - slots) * sizeof *s->table;
    for (size_t i = 0; i < slots; i++)
        if (old[i].used)
            *find(s, &old[i].key) = old[i];
    free(old);
    return true;
}

/* The key by which the frame is kept if this was asked. */
static struct poe_key key_of(const struct frame *f, unsigned asked)
{
    struct poe_key key = f->key;
    for (unsigned i = 0; i < POE_QUESTIONS; i++)
        if (asked >> i & 1)
            key = (struct poe_key){poe_mix(key.low, f->answers[i] + i), poe_mix(f->answers[i] + i, key.high)};
    return key;
}

static struct entry *known(const struct poe_states *s, const struct poe_key *key)
{
    struct entry *e = s->n ? find(s, key) : NULL;
    return e && e->used ? e : NULL;
}

/* Whatever was asked below it. */
static struct entry *known_of(const struct poe_states *s, const struct frame *f)
{
    struct entry *e = NULL;
    for (unsigned asked = 0; asked < 1u << POE_QUESTIONS && !e; asked++) {
        struct poe_key key = key_of(f, asked);
        e = known(s, &key);
    }
    return e;
}

static int compare_things(const void *a, const void *b, void *bytes)
{
    return memcmp(a, b, *(size_t *)bytes);
}

/* `things` may be NULL if there are none. */
static bool has_things(const struct shared *x, uint64_t hash, const uint64_t *things, uint32_t words)
{
    return x->hash == hash && x->words == words &&
           (words == 0 || memcmp(x->things, things, words * sizeof *things) == 0);
}

/* Where the summary is, or is to be. */
static struct shared **find_shared(const struct poe_states *s, uint64_t hash, const uint64_t *things,
                                   uint32_t words)
{
    size_t at = (size_t)hash & (s->summary_slots - 1);
    while (s->summaries[at] && !has_things(s->summaries[at], hash, things, words))
        at = (at + 1) & (s->summary_slots - 1);
    return &s->summaries[at];
}

static void make_room_for_shared(struct poe_states *s)
{
    if (2 * (s->n_summaries + 1) <= s->summary_slots)
        return;
    struct shared **old = s->summaries;
    size_t slots = s->summary_slots;
    s->summary_slots = slots ? 2 * slots : FIRST_SLOTS;
    s->summaries = poe_alloc(NULL, s->summary_slots * sizeof(struct shared *));
    memset(s->summaries, 0, s->summary_slots * sizeof(struct shared *));
    s->bytes += (s->summary_slots - slots) * sizeof(struct shared *);
    for (size_t i = 0; i < slots; i++)
        if (old[i])
            *find_shared(s, old[i]->hash, old[i]->things, old[i]->words) = old[i];
    free(old);
}

/* In which order things are in a summary does not matter. */
static const struct shared *share(struct poe_states *s, struct summary *below)
{
    size_t bytes = s->thing * sizeof(uint64_t);
    uint32_t words = below->n * (uint32_t)s->thing;
    uint64_t hash = words;
    for (uint32_t i = 0; i < below->n; i++)
        thing_at(s, below, i)->born = 0; /* set_births */
    if (below->n)
        qsort_r(below->things, below->n, bytes, compare_things, &bytes);
    for (uint32_t i = 0; i < words; i++)
        hash = poe_mix(hash, below->things[i]);
    make_room_for_shared(s);
    struct shared **at = find_shared(s, hash, below->things, words), *x = *at;
    if (x)
        return x;
    x = poe_alloc(NULL, sizeof *x + words * sizeof(uint64_t));
    *x = (struct shared){.hash = hash, .n = below->n, .words = words};
    if (words)
        memcpy(x->things, below->things, words * sizeof(uint64_t));
    *at = x;
    s->n_summaries++;
    s->bytes += sizeof *x + words * sizeof(uint64_t);
    return x;
}

/* There is room. */
static void keep(struct poe_states *s, struct frame *f, void *kept)
{
    struct poe_key key = key_of(f, f->asked);
    struct entry *e = find(s, &key);
    *e = (struct entry){.key = key,
                        .used = true,
                        .asked = f->asked,
                        .standard = f->standard,
                        .kept = kept,
                        .below = share(s, &f->below)};
    s->n++;
    s->bytes += kept && s->owner.bytes ? s->owner.bytes(kept) : 0;
    s->full = s->bytes >= s->most;
}

/* ---- frames ---- */

/* How each rank's state depends on those at the choice point before. */
static void set_flow(const struct poe_states *s, const struct poe *poe, struct frame *f, unsigned number)
{
    f->flow = poe_alloc(NULL, 2 * (size_t)s->ranks * s->words * sizeof *f->flow);
    for (int kind = 0; kind < 2; kind++)
        for (int rank = 0; rank < s->ranks; rank++) {
            uint64_t *set = f->flow + ((size_t)kind * (size_t)s->ranks + (size_t)rank) * s->words;
            set_by_clock(s, poe, poe->ranks[rank].threads[0].now, kind, number, set);
            set[rank / 64] |= (uint64_t)1 << (rank % 64);
        }
}

static void finish_frame(struct frame *f)
{
    free(f->below.things);
    free(f->below.index);
    free(f->flow);
}

/* What is below may know by way of operations that are there: those that others may still wait for. */
static bool tells_others(const struct poe_op *op)
{
    return op->t.call.op == ISP_OP_SEND || op->t.call.op == ISP_OP_RECV || op->t.call.op == ISP_OP_JOIN ||
           op->t.call.op == ISP_OP_COLLECTIVE;
}

/* `all` is taken over. */
static struct poe_clock *join(struct poe *poe, struct poe_clock *all, struct poe_clock *more)
{
    struct poe_clock *both = poe_clock_join(poe->arena, all, more);
    poe_clock_drop(poe->arena, all);
    return both;
}

static struct poe_clock *pending_clocks(struct poe *poe)
{
    struct poe_clock *all = NULL;
    for (int i = 0; i < poe->config.ranks; i++)
        for (struct poe_op *op = poe->ranks[i].live_first; op; op = op->live_next)
            if (tells_others(op))
                all = join(poe, join(poe, all, op->posted), op->done);
    return all;
}

static struct poe_clock *clock_of_set(const struct poe_states *s, struct poe *poe, const uint64_t *set)
{
    struct poe_clock *all = NULL;
    for (int i = 0; i < s->ranks; i++) {
        if (set[i / 64] >> (i % 64) & 1)
            all = join(poe, all, poe->ranks[i].threads[0].now);
    }
    return all;
}

static void race(const struct poe_states *s, struct poe *poe, const struct summary *below)
{
    struct poe_clock *pending = pending_clocks(poe);
    for (uint32_t i = 0; i < below->n; i++) {
        const struct thing *t = thing_at(s, below, i);
        struct poe_clock *zero = clock_of_set(s, poe, set_of(s, t, POE_CLOCK_ZERO));
        struct poe_clock *infinite = clock_of_set(s, poe, set_of(s, t, POE_CLOCK_INFINITE));
        struct poe_clock *both = poe_clock_mix(poe->arena, zero, infinite);
        struct poe_clock *most = join(poe, poe_clock_keep(both), pending);
        poe_race_foreseen(poe,
                          &(struct poe_shown){.kind = (enum poe_shown_kind)t->kind,
                                              .rank = t->rank,
                                              .comm = t->comm,
                                              .peer = t->peer,
                                              .tag = t->tag,
                                              .handle = t->handle,
                                              .clock = both},
                          most);
        poe_clock_drop(poe->arena, most);
        poe_clock_drop(poe->arena, both);
        poe_clock_drop(poe->arena, infinite);
        poe_clock_drop(poe->arena, zero);
    }
    poe_clock_drop(poe->arena, pending);
    poe_race_foreseen_behind(poe);
}

/* When the operations of a state came, in this run. One that is not there comes after it. */
static void set_births(const struct poe_states *s, const struct poe *poe, struct summary *below)
{
    for (uint32_t i = 0; i < below->n; i++) {
        struct thing *t = thing_at(s, below, i);
        const struct poe_rank *r = &poe->ranks[t->rank];
        bool there = t->handle < r->n_slots && r->slots[t->handle];
        if (t->kind == POE_SHOWN_COMPLETION)
            t->born = there ? r->slots[t->handle]->born : UINT32_MAX;
    }
}

/* A state that is known has come up again. */
static void take_below(struct poe_states *s, struct poe *poe, const struct frame *f, unsigned number,
                       const struct shared *known)
{
    struct summary below = {.n = known->n, .room = known->words};
    below.things = poe_alloc(NULL, (known->words + 1) * sizeof(uint64_t));
    memcpy(below.things, known->things, known->words * sizeof(uint64_t));
    set_births(s, poe, &below);
    race(s, poe, &below);
    pass_up(s, f, number, &below);
    free(below.things);
}

bool poe_states_reach(struct poe_states *s, struct poe *poe, const struct poe_key *key, bool whole,
                      void *open, void **kept)
{
    unsigned number = s->n_frames;
    struct frame f = {.keyed = key && poe->config.ranks == s->ranks, .whole = whole, .open = open};
    if (f.keyed)
        f.key = *key;
    if (number > 0)
        f.below_keyed = s->frames[number - 1].keyed || s->frames[number - 1].below_keyed;
    for (int i = 0; i < POE_QUESTIONS; i++)
        f.answers[i] = poe_state_answer(poe, (enum poe_question)i);
    set_flow(s, poe, &f, number);
    struct entry *e = f.keyed ? known_of(s, &f) : NULL;
    if (e) {
        ask(s, e->asked, e->standard);
        poe->standard_sends |= e->standard;
        /* below, a ready send may need a barrier above */
        poe->barriers_unclear |= e->asked >> POE_READINESS & 1;
        take_below(s, poe, &f, number, e->below);
        *kept = e->kept;
        finish_frame(&f);
        return true;
    }
    s->frames = poe_grow(s->frames, &s->frames_room, number + 1, sizeof *s->frames);
    s->frames[s->n_frames++] = f;
    return false;
}

unsigned poe_states_depth(const struct poe_states *s) { return s->n_frames; }

void poe_states_close(struct poe_states *s, unsigned depth)
{
    while (s->n_frames > depth) {
        uint32_t number = s->n_frames - 1;
        struct frame *f = &s->frames[number];
        struct poe_key key = key_of(f, f->asked);
        bool stays = f->keyed && f->whole && !f->below.many && !s->full && !known(s, &key);
        if (stays && !make_room(s)) {
            s->full = true;
            stays = false;
        }
        pass_up(s, f, number, &f->below);
        void *kept = s->owner.close ? s->owner.close(s->owner.context, f->open, stays) : NULL;
        if (stays)
            keep(s, f, kept);
        finish_frame(f);
        s->n_frames--;
    }
}

void poe_states_spoil(struct poe_states *s, unsigned n)
{
    for (uint32_t i = 0; i < n && i < s->n_frames; i++)
        s->frames[i].whole = false;
}

void poe_states_destroy(struct poe_states *s)
{
    if (!s)
        return;
    poe_states_spoil(s, s->n_frames);
    poe_states_close(s, 0);
    for (size_t i = 0; i < s->slots; i++)
        if (s->table[i].used && s->owner.drop)
            s->owner.drop(s->table[i].kept);
    for (size_t i = 0; i < s->summary_slots; i++)
        free(s->summaries[i]);
    free(s->summaries);
    free(s->table);
    free(s->frames);
    free(s);
}

size_t poe_states_count(const struct poe_states *s) { return s->n; }
size_t poe_states_bytes(const struct poe_states *s) { return s->bytes; }
bool poe_states_is_full(const struct poe_states *s) { return s->full; }

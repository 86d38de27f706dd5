/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call has few candidates: the last blocking call of its thread, what it names, and the last calls of some
 * *chains*, which are the calls of a thread that come one after the other by C3 or C4. Of these go those that
 * follow from another one.
 *
 * A blocking call closes all that comes before it: what is closed comes before whatever the next blocking
 * calls of the thread come before. So the search for what follows from what looks only at operations that
 * were pending.
 */
#include "poe/ancestors.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* Candidates that are compared before a search; calls that a search looks at, and calls of a chain. No
 * program comes near the last two, a trace that was made to do harm may. */
enum { MOST_PAIRS = 4, MOST_LOOKS = 10000, MOST_STEPS = 10000 };
enum chain { THREAD, CHANNEL, SEND, RECEIVE, COLLECTIVE };

/* What the calls of a chain have in common. No padding: it is compared as bytes. */
struct key {
    int32_t rank, comm, peer, tag;
    uint32_t thread;
    uint16_t chain, likes; /* likes: flags of what matches its like only */
};

struct chain_end {
    struct key key;
    int32_t last; /* of a thread: its last blocking call; or -1 */
};

struct past {
    uint32_t chain;    /* in `ends` */
    int32_t fence;     /* the last blocking call of its thread before it, or -1 */
    int32_t same;      /* the one before it in its chain, or -1 */
    int32_t channel;   /* a send: the one before it to the same rank, or -1 */
    int32_t follower;  /* a send: the next one in its chain, or -1 */
    int32_t closed;    /* the first blocking call of its thread that it comes before, or -1 */
    uint32_t first, n; /* its ancestors, in `lists` */
    uint32_t seen;     /* in a search: its number */
    bool is_fence;
    bool in_chain;  /* a probe is in none: it takes nothing */
    bool after_all; /* a send: all that is before it on its channel comes before it */
};

/* What a call was before: to go back. */
struct change {
    int32_t call, closed;
    uint32_t first, n;
    bool after_all;
};

struct poe_ancestors {
    struct past *calls;
    int32_t n_calls, marked;       /* marked: calls that somebody may go back to */
    int32_t *lists, *found, *open; /* found: candidates; open: of a search, still to be looked at */
    struct change *changes;
    struct chain_end *ends;
    int32_t changed[4];
    uint32_t n_changed;
    uint32_t *table; /* ends by their keys, + 1 */
    uint32_t calls_room, lists_room, found_room, open_room, changes_room, ends_room;
    uint32_t n_lists, n_found, n_open, n_changes, n_ends, table_size, searches;
};

struct poe_ancestors *poe_ancestors_create(void)
{
    struct poe_ancestors *a = poe_alloc(NULL, sizeof *a);
    memset(a, 0, sizeof *a);
    return a;
}

void poe_ancestors_destroy(struct poe_ancestors *a)
{
    if (!a)
        return;
    free(a->calls);
    free(a->lists);
    free(a->found);
    free(a->open);
    free(a->changes);
    free(a->ends);
    free(a->table);
    free(a);
}

/* ---- chains ---- */

static uint32_t hash(const struct key *key)
{
    const uint32_t words[] = {(uint32_t)key->rank, (uint32_t)key->comm,
                              (uint32_t)key->peer, (uint32_t)key->tag,
                              key->thread,         (uint32_t)key->chain << 16 | key->likes};
    uint32_t h = 2166136261u;
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        h = (h ^ words[i]) * 2654435769u;
        h ^= h >> 15;
    }
    return h;
}

/* Where it is in the table, or would be. */
static uint32_t place_of(const struct poe_ancestors *a, const struct key *key)
{
    uint32_t at = hash(key) & (a->table_size - 1);
    while (a->table[at] && memcmp(&a->ends[a->table[at] - 1].key, key, sizeof *key) != 0)
        at = (at + 1) & (a->table_size - 1);
    return at;
}

static void enlarge_table(struct poe_ancestors *a)
{
    a->table_size = a->table_size ? 2 * a->table_size : 64;
    a->table = poe_alloc(a->table, a->table_size * sizeof *a->table);
    memset(a->table, 0, a->table_size * sizeof *a->table);
    for (uint32_t i = 0; i < a->n_ends; i++)
        a->table[place_of(a, &a->ends[i].key)] = i + 1;
}

/* The number of the chain; it is made if it is new. */
static uint32_t chain_of(struct poe_ancestors *a, const struct key *key)
{
    if (2 * a->n_ends >= a->table_size)
        enlarge_table(a);
    uint32_t at = place_of(a, key);
    if (!a->table[at]) {
        a->ends = poe_grow(a->ends, &a->ends_room, a->n_ends + 1, sizeof *a->ends);
        a->ends[a->n_ends++] = (struct chain_end){*key, -1};
        a->table[at] = a->n_ends;
    }
    return a->table[at] - 1;
}

/* The last call of a chain that is before this one, or -1. */
static int32_t last_before(const struct poe_ancestors *a, const struct key *key, int32_t call)
{
    uint32_t at = a->table[place_of(a, key)];
    if (at && a->calls[call].in_chain && a->calls[call].chain == at - 1)
        return a->calls[call].same;
    int32_t last = at ? a->ends[at - 1].last : -1;
    for (int i = 0; last >= call && i < MOST_STEPS; i++)
        last = a->calls[last].same;
    return last < call ? last : -1;
}

static struct key thread_of(const struct key *key)
{
    return (struct key){.rank = key->rank, .thread = key->thread, .chain = THREAD};
}

static struct key channel_of(const struct key *key)
{
    struct key channel = *key;
    channel.chain = CHANNEL;
    channel.tag = 0;
    return channel;
}

static bool are_of_one_thread(const struct poe_ancestors *a, int32_t x, int32_t y)
{
    const struct key *k = &a->ends[a->calls[x].chain].key, *l = &a->ends[a->calls[y].chain].key;
    return k->rank == l->rank && k->thread == l->thread;
}

/* ---- candidates ---- */

static void add_candidate(struct poe_ancestors *a, int32_t call)
{
    if (call < 0)
        return;
    a->found = poe_grow(a->found, &a->found_room, a->n_found + 1, sizeof *a->found);
    a->found[a->n_found++] = call;
}

/* C4: the last receives before `call` that would accept this message, or whatever is accepted by this source
 * and tag. */
static void find_receives(struct poe_ancestors *a, struct key key, int32_t call)
{
    const int32_t peer = key.peer, tag = key.tag;
    key.chain = RECEIVE;
    for (int i = 0; i < 4; i++) {
        if ((i & 1 && peer == ISP_ANY_SOURCE) || (i & 2 && tag == ISP_ANY_TAG))
            continue;
        key.peer = i & 1 ? ISP_ANY_SOURCE : peer;
        key.tag = i & 2 ? ISP_ANY_TAG : tag;
        add_candidate(a, last_before(a, &key, call));
    }
}

/* C3, where the message was taken by any tag: of each tag the last send before it. */
static void find_sends(struct poe_ancestors *a, int32_t send)
{
    int32_t p = a->calls[send].channel;
    for (int i = 0; p >= 0 && i < MOST_STEPS; i++, p = a->calls[p].channel) {
        int32_t follower = a->calls[p].follower;
        if (follower < 0 || follower >= send)
            add_candidate(a, p);
        if (a->calls[p].after_all)
            return;
    }
}

/* ---- what follows from what ---- */

/* Whether this candidate of c comes before the last blocking call before c, and so before c. */
static bool is_behind_fence(const struct poe_ancestors *a, int32_t call, int32_t c)
{
    const struct past *p = &a->calls[call];
    int32_t fence = a->calls[c].fence;
    return fence > call && are_of_one_thread(a, call, fence) &&
           (p->is_fence || (p->closed >= 0 && p->closed <= fence));
}

static void look_at(struct poe_ancestors *a, int32_t call)
{
    a->open = poe_grow(a->open, &a->open_room, a->n_open + 1, sizeof *a->open);
    a->open[a->n_open++] = call;
}

/* Marks what comes before one of the candidates, as far down as the lowest of them. */
static void mark_implied(struct poe_ancestors *a, int32_t c)
{
    const int32_t lowest = a->found[a->n_found - 1];
    a->searches++;
    for (uint32_t i = 0; i < a->n_found; i++)
        look_at(a, a->found[i]);
    for (int looks = 0; a->n_open && looks < MOST_LOOKS; looks++) {
        const struct past *p = &a->calls[a->open[--a->n_open]];
        for (uint32_t i = 0; i < p->n; i++) {
            int32_t before = a->lists[p->first + i];
            if (before < lowest || a->calls[before].seen == a->searches)
                continue;
            a->calls[before].seen = a->searches;
            if (!is_behind_fence(a, before, c))
                look_at(a, before);
        }
    }
    a->n_open = 0;
}

static int latest_first(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

static bool is_receive_for_all_of(const struct key *wide, const struct key *key)
{
    return wide->chain == RECEIVE && key->chain == RECEIVE && wide->comm == key->comm &&
           wide->likes == key->likes && (wide->peer == ISP_ANY_SOURCE || wide->peer == key->peer) &&
           (wide->tag == ISP_ANY_TAG || wide->tag == key->tag);
}

/* Whether it can be told without a search that one candidate, x, comes before a later one, y. */
static bool is_plainly_before(const struct poe_ancestors *a, int32_t x, int32_t y)
{
    if (!are_of_one_thread(a, x, y))
        return false;
    return a->calls[x].is_fence ||
           (a->calls[x].in_chain && a->calls[y].in_chain &&
            is_receive_for_all_of(&a->ends[a->calls[x].chain].key, &a->ends[a->calls[y].chain].key));
}

static void drop_plain(struct poe_ancestors *a, int32_t c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->n_found; i++) {
        int32_t x = a->found[i];
        bool drop = is_behind_fence(a, x, c) || (n > 0 && a->found[n - 1] == x);
        for (uint32_t k = 0; k < n && k < MOST_PAIRS && !drop; k++)
            drop = is_plainly_before(a, x, a->found[k]);
        if (!drop)
            a->found[n++] = x;
    }
    a->n_found = n;
}

/* Leaves of the candidates of c those that follow from no other one; latest first. */
static void reduce(struct poe_ancestors *a, int32_t c)
{
    if (a->n_found > 1)
        qsort(a->found, a->n_found, sizeof *a->found, latest_first);
    drop_plain(a, c);
    if (a->n_found < 2)
        return;
    mark_implied(a, c);
    uint32_t n = 0;
    for (uint32_t i = 0; i < a->n_found; i++)
        if (a->calls[a->found[i]].seen != a->searches)
            a->found[n++] = a->found[i];
    a->n_found = n;
}

/* ---- what is kept ---- */

static void note_change(struct poe_ancestors *a, int32_t call)
{
    if (call >= a->marked)
        return;
    const struct past *p = &a->calls[call];
    a->changes = poe_grow(a->changes, &a->changes_room, a->n_changes + 1, sizeof *a->changes);
    a->changes[a->n_changes++] = (struct change){call, p->closed, p->first, p->n, p->after_all};
}

/* All that comes before the call, on its thread, comes before this blocking call. */
static void close_before(struct poe_ancestors *a, int32_t call, int32_t fence)
{
    look_at(a, call);
    while (a->n_open) {
        const struct past *p = &a->calls[a->open[--a->n_open]];
        for (uint32_t i = 0; i < p->n; i++) {
            struct past *before = &a->calls[a->lists[p->first + i]];
            if (before->is_fence || (before->closed >= 0 && before->closed <= fence) ||
                !are_of_one_thread(a, a->lists[p->first + i], fence))
                continue;
            note_change(a, a->lists[p->first + i]);
            before->closed = fence;
            look_at(a, a->lists[p->first + i]);
        }
    }
}

static void keep(struct poe_ancestors *a, int32_t call)
{
    struct past *p = &a->calls[call];
    a->lists = poe_grow(a->lists, &a->lists_room, a->n_lists + a->n_found, sizeof *a->lists);
    if (a->n_found)
        memcpy(a->lists + a->n_lists, a->found, a->n_found * sizeof *a->lists);
    p->first = a->n_lists;
    p->n = a->n_found;
    a->n_lists += a->n_found;
    if (p->is_fence || p->closed >= 0)
        close_before(a, call, p->is_fence ? call : p->closed);
}

/* ---- calls ---- */

static bool is_message(const struct poe_ancestor_call *c)
{
    bool taken_out = c->op == ISP_OP_RECV && c->mode == ISP_RECV_MESSAGE; /* its probe was in the queue */
    return (c->op == ISP_OP_SEND || c->op == ISP_OP_RECV || c->op == ISP_OP_PROBE) &&
           c->peer != ISP_NO_RANK && !taken_out && !(c->flags & ISP_F_PARTITIONED);
}

static struct key key_of(const struct poe_ancestor_call *c)
{
    struct key key = {.rank = c->rank, .thread = c->thread, .chain = THREAD};
    bool subset = c->flags & ISP_F_SUBSET;
    if (c->op == ISP_OP_COLLECTIVE) {
        key.chain = COLLECTIVE;
        key.comm = c->comm;
        key.tag = subset ? c->tag : 0;
        key.likes = subset;
    } else if (is_message(c)) {
        key.chain = c->op == ISP_OP_SEND ? SEND : RECEIVE;
        key.comm = c->comm;
        key.peer = c->peer;
        key.tag = c->tag;
        key.likes = c->flags & ISP_F_SIGNAL;
    }
    return key;
}

/* Puts it at the end of its chains; its own ancestors by C3 and C4 become candidates. */
static void enter_chains(struct poe_ancestors *a, int32_t call, const struct key *key, uint8_t op,
                         uint32_t flags)
{
    struct past *p = &a->calls[call];
    p->in_chain = key->chain != THREAD && op != ISP_OP_PROBE;
    if (p->in_chain) {
        p->same = a->ends[p->chain].last;
        a->ends[p->chain].last = call;
        add_candidate(a, p->same);
    }
    if (key->chain == RECEIVE &&
        !(op == ISP_OP_PROBE && flags & ISP_F_POLL)) /* such a probe need not find anything */
        find_receives(a, *key, call);
    if (key->chain != SEND)
        return;
    if (p->same >= 0)
        a->calls[p->same].follower = call;
    struct key wide = channel_of(key);
    uint32_t channel = chain_of(a, &wide);
    p->channel = a->ends[channel].last;
    a->ends[channel].last = call;
}

int32_t poe_ancestors_add(struct poe_ancestors *a, const struct poe_ancestor_call *c)
{
    int32_t call = a->n_calls++;
    a->calls = poe_grow(a->calls, &a->calls_room, (uint32_t)a->n_calls, sizeof *a->calls);
    struct key key = key_of(c), thread = thread_of(&key);
    uint32_t own = chain_of(a, &thread), chain = chain_of(a, &key);
    a->calls[call] = (struct past){.chain = chain,
                                   .fence = a->ends[own].last,
                                   .same = -1,
                                   .channel = -1,
                                   .follower = -1,
                                   .closed = -1,
                                   .is_fence = c->flags & ISP_F_FENCE};
    a->n_found = 0;
    add_candidate(a, a->calls[call].fence); /* C1 */
    bool waits = c->op == ISP_OP_COMPLETE || c->op == ISP_OP_JOIN || c->op == ISP_OP_RECV;
    for (uint32_t i = 0; i < c->n_named && waits; i++) /* C2 */
        if (c->named[i] < call)
            add_candidate(a, c->named[i]);
    enter_chains(a, call, &key, c->op, c->flags);
    reduce(a, call);
    keep(a, call);
    if (a->calls[call].is_fence)
        a->ends[own].last = call;
    return call;
}

static void put_instead(struct poe_ancestors *a, int32_t call)
{
    note_change(a, call);
    keep(a, call);
    a->changed[a->n_changed++] = call;
}

/* Its ancestors so far and the candidates that were found. What waits for it may have had one of these for
 * itself. */
static void gain(struct poe_ancestors *a, int32_t call)
{
    const struct past *p = &a->calls[call];
    const int32_t wait = p->closed;
    if (a->n_found == 0)
        return;
    for (uint32_t i = 0; i < p->n; i++)
        add_candidate(a, a->lists[p->first + i]);
    reduce(a, call);
    if (a->n_found == p->n && memcmp(a->found, a->lists + p->first, p->n * sizeof *a->found) == 0)
        return;
    put_instead(a, call);
    if (wait < 0)
        return;
    a->n_found = 0;
    for (uint32_t i = 0; i < a->calls[wait].n; i++)
        add_candidate(a, a->lists[a->calls[wait].first + i]);
    reduce(a, wait);
    if (a->n_found != a->calls[wait].n)
        put_instead(a, wait);
}

unsigned poe_ancestors_match(struct poe_ancestors *a, int32_t send, int32_t receive, const int32_t **changed)
{
    const struct key *s = &a->ends[a->calls[send].chain].key, *r = &a->ends[a->calls[receive].chain].key;
    a->n_changed = 0;
    *changed = a->changed;
    if (s->chain != SEND || r->chain != RECEIVE)
        return 0;
    if (r->tag == ISP_ANY_TAG && !a->calls[send].after_all) {
        a->n_found = 0;
        find_sends(a, send);
        note_change(a, send);
        a->calls[send].after_all = true;
        gain(a, send);
    }
    if (r->peer == ISP_ANY_SOURCE || r->tag == ISP_ANY_TAG || !a->calls[receive].in_chain) {
        struct key taken = *r;
        taken.peer = s->rank;
        taken.tag = s->tag;
        a->n_found = 0;
        find_receives(a, taken, receive);
        gain(a, receive);
    }
    return a->n_changed;
}

unsigned poe_ancestors_of(const struct poe_ancestors *a, int32_t call, const int32_t **list)
{
    *list = a->lists ? a->lists + a->calls[call].first : NULL;
    return a->calls[call].n;
}

bool poe_ancestor_leads(const struct poe_ancestor_call *call) { return call->op != ISP_OP_RECV; }

/* ---- back ---- */

struct poe_ancestors_mark poe_ancestors_mark(struct poe_ancestors *a)
{
    a->marked = a->n_calls;
    return (struct poe_ancestors_mark){a->n_calls, a->n_lists, a->n_changes};
}

static void set_end(struct poe_ancestors *a, struct key key, int32_t last)
{
    uint32_t chain = chain_of(a, &key);
    a->ends[chain].last = last;
}

static void forget_last(struct poe_ancestors *a)
{
    const struct past *p = &a->calls[--a->n_calls];
    const struct key key = a->ends[p->chain].key;
    if (p->is_fence)
        set_end(a, thread_of(&key), p->fence);
    if (!p->in_chain)
        return;
    a->ends[p->chain].last = p->same;
    if (key.chain != SEND)
        return;
    set_end(a, channel_of(&key), p->channel);
    if (p->same >= 0)
        a->calls[p->same].follower = -1;
}

void poe_ancestors_back(struct poe_ancestors *a, const struct poe_ancestors_mark *mark)
{
    while (a->n_changes > mark->changes) {
        const struct change *c = &a->changes[--a->n_changes];
        struct past *p = &a->calls[c->call];
        p->closed = c->closed;
        p->first = c->first;
        p->n = c->n;
        p->after_all = c->after_all;
    }
    while (a->n_calls > mark->calls)
        forget_last(a);
    a->n_lists = mark->lists;
    a->marked = mark->calls;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The path from the root to where the run is. A node is written while the run goes through it for the first
 * time; when a later run comes that way again it is `closed`, and nothing is written before the path branches
 * off.
 */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "base/alloc.h"
#include "check/signatures.h"
#include "run/options.h"
#include "poe/poe.h"
#include "words/words.h"
#include "isp/functions.h"
#include "op_words.h"
#include "recorder.h"

/* ---- text without allocation ---- */

static void text_begin(struct sched_trace *t) { t->text_size = 0; }

static void text_number(struct sched_trace *t, int64_t n)
{
    char digits[24];
    size_t k = sizeof digits;
    uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;
    do
        digits[--k] = (char)('0' + left % 10);
    while (left /= 10);
    if (n < 0)
        digits[--k] = '-';
    if (t->text_room < t->text_size + sizeof digits + 2) {
        t->text_room = 2 * t->text_room + 256;
        t->text = sched_grow(t->text, t->text_room, 1);
    }
    if (t->text_size)
        t->text[t->text_size++] = ' ';
    memcpy(t->text + t->text_size, digits + k, sizeof digits - k);
    t->text_size += sizeof digits - k;
}

static const char *text_end(struct sched_trace *t)
{
    if (!t->text_size)
        return NULL;
    t->text[t->text_size] = '\0';
    return t->text;
}

static const char *numbers(struct sched_trace *t, const uint32_t *list, uint32_t n)
{
    text_begin(t);
    for (uint32_t i = 0; i < n; i++)
        text_number(t, list[i]);
    return text_end(t);
}

/* ---- nodes ---- */

static struct node *here(struct sched_trace *t) { return &t->path[t->at]; }

static bool listens(const struct sched_trace *t) { return t && t->n && !t->path[t->at].closed; }

static void forget_comms(struct sched_trace *t)
{
    while (t->n_comms && t->comms[t->n_comms - 1].depth >= t->n)
        t->n_comms--;
}

static void push(struct sched_trace *t, unsigned taken)
{
    SCHED_GROW(t->path, t->n);
    t->path[t->n] =
        (struct node){t->next_node++, taken,         false,
                      t->next_call,   t->next_match, sched_store_next(t->store, SCHED_TABLE_MEMBER),
                      t->next_answer};
    t->at = t->n++;
}

static void close_node(struct sched_trace *t)
{
    struct node *node = here(t);
    node->closed = true;
    const int64_t row[] = {node->id,
                           t->at ? t->path[t->at - 1].id : -1,
                           t->at ? (int64_t)node->taken : -1,
                           t->buffered,
                           t->at,
                           node->call,
                           t->next_call,
                           node->match,
                           t->next_match,
                           node->answer,
                           t->next_answer};
    sched_store_numbers(t->store, SCHED_TABLE_NODE, row, 11, 1u << 1 | 1u << 2);
}

/* Takes back what an open node has written: its rows are the last ones of their tables. */
static void undo_node(struct sched_trace *t)
{
    struct node *node = &t->path[--t->n];
    sched_store_cut(t->store, SCHED_TABLE_CALL, node->call);
    sched_store_cut(t->store, SCHED_TABLE_MATCH, node->match);
    sched_store_cut(t->store, SCHED_TABLE_MEMBER, node->member);
    sched_store_run(t->store, "DELETE FROM answer WHERE id >= ?", &node->answer, 1);
    sched_store_run(t->store, "DELETE FROM communicator WHERE node = ?", &node->id, 1);
    t->next_node = node->id;
    t->next_call = node->call;
    t->next_match = node->match;
    t->next_answer = node->answer;
}

static void begin(void *self, const struct sched_run *run, unsigned decisions)
{
    struct sched_trace *t = self;
    t->ended = 0;
    if (t->n && !t->path[t->n - 1].closed)
        undo_node(t);
    if (t->buffered != run->buffered || decisions >= t->n)
        t->n = 0;
    t->buffered = run->buffered;
    t->at = t->n ? decisions : 0;
    forget_comms(t);
    if (t->n)
        return;
    int64_t root = sched_trace_root(t, t->buffered);
    push(t, 0);
    if (root < 0)
        return;
    t->next_node--;
    t->path[0] = (struct node){.id = root, .closed = true};
}

/* ---- calls ---- */

/* Some constructors of communicators are two records of isp (profiler/calls/constructors.c), and one call of
 * the program: the trace has the first half, which the second one directly follows. */
static int64_t shown_number(const struct poe_transition *of)
{
    return (int64_t)of->index - !!(of->call.flags & ISP_F_INTERNAL);
}

/* Of a call in two halves, the collective of one: the first, for then all have come. But
 * MPI_Intercomm_create_from_groups gathers its own group with the first, and both groups with the second. */
static bool is_shown(const struct poe_transition *of)
{
    bool gathers_twice = of->call.fn == ISP_FN_MPI_Intercomm_create_from_groups;
    return gathers_twice == !!(of->call.flags & ISP_F_INTERNAL);
}

/* What many calls have in common. */
struct traits {
    uint64_t comm_key, bytes, count;
    uint32_t site, redop, type, n, flags;
    int32_t comm, peer, tag, root;
    uint16_t fn, thread;
    uint8_t op, mode;
    uint8_t rest[6]; /* 0: traits are compared and hashed as bytes, so there is no padding */
};

struct kind {
    struct traits traits;
    int64_t id;
    UT_hash_handle hh;
};

void sched_trace_site(struct sched_trace *t, uint32_t site)
{
    if (site >= t->n_occurs) {
        uint32_t room = 2 * site + 64;
        t->occurs = sched_grow(t->occurs, room, sizeof *t->occurs);
        memset(t->occurs + t->n_occurs, 0, (room - t->n_occurs) * sizeof *t->occurs);
        t->n_occurs = room;
    }
    t->occurs[site] = true;
}

static const char *mode_name(const struct isp_call *c)
{
    static const char *const sends[] = {"standard", "buffered", "synchronous", "ready"},
                             *const completes[] = {"all", "any", "some"},
                             *const locks[] = {"shared", "exclusive", "turn", "atomic"};
    switch (c->op) {
    case ISP_OP_SEND: return sends[c->mode];
    case ISP_OP_RECV: return c->mode == ISP_RECV_MESSAGE ? "matched" : NULL;
    case ISP_OP_PROBE: return c->flags & ISP_F_MATCHED ? "matched" : NULL;
    case ISP_OP_COMPLETE: return completes[c->mode];
    case ISP_OP_LOCK: return locks[c->mode];
    default: return NULL;
    }
}

static bool has_comm(const struct isp_call *c)
{
    return c->op == ISP_OP_SEND || c->op == ISP_OP_RECV || c->op == ISP_OP_PROBE ||
           c->op == ISP_OP_COLLECTIVE || c->op == ISP_OP_LOCK || c->op == ISP_OP_UNLOCK;
}

static void write_kind(struct sched_trace *t, const struct sched_run *run, const struct isp_call *c,
                       int64_t id)
{
    bool message = c->op == ISP_OP_SEND || c->op == ISP_OP_RECV;
    bool addressed = message || c->op == ISP_OP_PROBE;
    bool collective = c->op == ISP_OP_COLLECTIVE;
    char *label = sched_words_call(run, c);
    char *data =
        (message || collective) && c->type ? sched_signature_words(run->signatures, c->type, c->count) : NULL;
#define IF(condition, value) ((condition) ? SCHED_NUMBER(value) : SCHED_TEXT(NULL))
    const struct sched_value row[] = {SCHED_NUMBER(id),
                                      SCHED_TEXT(sched_op_word(c->op)),
                                      SCHED_TEXT(mode_name(c)),
                                      SCHED_TEXT(isp_fn_name((enum isp_fn)c->fn)),
                                      SCHED_TEXT(label),
                                      SCHED_NUMBER(c->site),
                                      SCHED_NUMBER(c->thread),
                                      IF(has_comm(c), c->comm),
                                      IF(addressed, c->peer),
                                      IF(addressed, c->tag),
                                      IF(collective && c->root >= 0, c->root),
                                      IF(message, c->bytes),
                                      SCHED_TEXT(data),
                                      IF(c->redop, c->redop),
                                      SCHED_NUMBER(c->flags)};
#undef IF
    sched_store_row(t->store, SCHED_TABLE_KIND, row, sizeof row / sizeof *row);
    free(label);
    free(data);
}

static struct traits traits_of(const struct sched_run *run, const struct isp_call *c)
{
    struct traits traits = {0};
    bool comm = has_comm(c);
    traits.comm_key = comm && c->comm != ISP_NO_COMM ? poe_comm_key(run->poe, c->comm) : 0;
    traits.bytes = c->bytes;
    traits.count = c->count;
    traits.site = c->site;
    traits.redop = c->redop;
    traits.type = c->type;
    traits.n = c->op == ISP_OP_COMPLETE ? c->n : 0;
    traits.comm = comm ? c->comm : 0;
    traits.peer = c->peer;
    traits.tag = c->tag;
    traits.root = c->root;
    traits.fn = c->fn;
    traits.flags = c->flags;
    traits.thread = c->thread;
    traits.op = c->op;
    traits.mode = c->mode;
    return traits;
}

static struct kind *find_kind(struct sched_trace *t, const struct sched_run *run, const struct isp_call *c,
                              const struct traits *traits)
{
    struct kind *kind;
    HASH_FIND(hh, t->kinds, traits, sizeof *traits, kind);
    if (kind)
        return kind;
    kind = sched_alloc(1, sizeof *kind);
    kind->traits = *traits;
    kind->id = t->next_kind++;
    HASH_ADD(hh, t->kinds, traits, sizeof *traits, kind);
    sched_trace_site(t, c->site);
    write_kind(t, run, c, kind->id);
    return kind;
}

/* Mostly a rank does at a place what it did there the last time: to compare takes a tenth of what hashing
 * does. */
static int64_t kind_of(struct sched_trace *t, const struct sched_run *run, int rank, const struct isp_call *c)
{
    struct traits traits = traits_of(run, c);
    struct kind **recent = &t->recent[(c->site * 8 + (uint32_t)rank) % SCHED_TRACE_RECENT];
    if (!*recent || memcmp(&(*recent)->traits, &traits, sizeof traits) != 0)
        *recent = find_kind(t, run, c, &traits);
    return (*recent)->id;
}

static void note_comm(struct sched_trace *t, const struct sched_run *run, int32_t comm)
{
    for (size_t i = 0; i < t->n_comms; i++)
        if (t->comms[i].comm == comm)
            return;
    const int *members;
    unsigned n = poe_comm_members(run->poe, comm, &members);
    if (!n)
        return;
    t->comms = sched_grow(t->comms, t->n_comms + 1, sizeof *t->comms);
    t->comms[t->n_comms++] = (struct known_comm){comm, t->at};
    const struct sched_value row[] = {SCHED_NUMBER(here(t)->id), SCHED_NUMBER(comm),
                                      SCHED_TEXT(numbers(t, (const uint32_t *)members, n)),
                                      SCHED_NUMBER(poe_comm_first_side(run->poe, comm))};
    sched_store_row(t->store, SCHED_TABLE_COMMUNICATOR, row, 4);
}

/* The numbers of the calls that it names by their handles. */
static const char *requests(struct sched_trace *t, const struct sched_run *run, int rank,
                            const struct isp_call *c)
{
    const uint32_t *handles =
        c->op == ISP_OP_CANCEL || c->op == ISP_OP_FREE || c->op == ISP_OP_READY ? &c->handle : c->list;
    bool names = c->op == ISP_OP_COMPLETE || c->op == ISP_OP_JOIN ||
                 (c->op == ISP_OP_RECV && c->mode == ISP_RECV_MESSAGE);
    uint32_t n = handles == &c->handle ? 1 : names ? c->n : 0;
    text_begin(t);
    for (uint32_t i = 0; i < n; i++) {
        const struct poe_transition *named = poe_operation(run->poe, rank, handles[i]);
        text_number(t, named ? (int64_t)named->index : -1);
    }
    return text_end(t);
}

static void call(void *self, struct sched_run *run, int rank, const struct isp_call *c)
{
    struct sched_trace *t = self;
    if (!listens(t) || c->flags & ISP_F_INTERNAL)
        return;
    if (has_comm(c) && c->comm > ISP_COMM_SELF(run->options->ranks - 1))
        note_comm(t, run, c->comm);
    int64_t number = c->op == ISP_OP_READY ? -1 : (int64_t)poe_next_index(run->poe, rank, c->thread);
    const struct sched_value row[] = {SCHED_NUMBER(t->next_call++), SCHED_NUMBER(rank),
                                      number < 0 ? SCHED_TEXT(NULL) : SCHED_NUMBER(number),
                                      SCHED_NUMBER(kind_of(t, run, rank, c)),
                                      SCHED_TEXT(requests(t, run, rank, c))};
    sched_store_row(t->store, SCHED_TABLE_CALL, row, 5);
}

/* ---- matches, and what calls were told ---- */

/* Of the call whose fence is over: only what one could not tell otherwise. */
static void write_answer(struct sched_trace *t, const struct poe_transition *of,
                         const struct isp_result *result)
{
    const struct isp_call *c = &of->call;
    bool probe = c->op == ISP_OP_PROBE;
    if (!probe && !(c->op == ISP_OP_COMPLETE && (c->flags & ISP_F_POLL || c->mode != ISP_COMPLETE_ALL)))
        return;
    const char *positions =
        c->op == ISP_OP_COMPLETE && c->mode != ISP_COMPLETE_ALL ? numbers(t, result->list, result->n) : NULL;
    bool found = probe && result->flag;
    const struct sched_value row[] = {SCHED_NUMBER(t->next_answer++),
                                      SCHED_NUMBER(of->rank),
                                      SCHED_NUMBER(of->index),
                                      SCHED_NUMBER(result->flag),
                                      SCHED_TEXT(positions),
                                      found ? SCHED_NUMBER(result->source) : SCHED_TEXT(NULL),
                                      found ? SCHED_NUMBER(result->tag) : SCHED_TEXT(NULL),
                                      found ? SCHED_NUMBER(result->bytes) : SCHED_TEXT(NULL)};
    sched_store_row(t->store, SCHED_TABLE_ANSWER, row, 8);
}

static void write_match(struct sched_trace *t, const struct poe_fired *f)
{
    const struct poe_transition *const *m = f->members;
    bool message = f->n_members == 2 && m[0]->call.op == ISP_OP_SEND,
         collective = m[0]->call.op == ISP_OP_COLLECTIVE;
    if (!message && !(collective && is_shown(m[0])))
        return;
    const int64_t row[] = {t->next_match,
                           t->next_call - 1,
                           message ? m[0]->rank : -1,
                           message ? (int64_t)m[0]->index : -1,
                           message ? m[1]->rank : -1,
                           message ? (int64_t)m[1]->index : -1};
    sched_store_numbers(t->store, SCHED_TABLE_MATCH, row, 6, ~3u);
    for (unsigned i = 0; i < f->n_members && collective; i++) {
        const int64_t member[] = {t->next_match, m[i]->rank, shown_number(m[i])};
        sched_store_numbers(t->store, SCHED_TABLE_MEMBER, member, 3, 0);
    }
    t->next_match++;
}

static bool fired(void *self, struct sched_run *run, const struct poe_fired *f)
{
    struct sched_trace *t = self;
    if (!listens(t))
        return true;
    write_match(t, f);
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        for (unsigned k = 0; e->release && k < f->n_members; k++)
            if (f->members[k]->rank == e->rank && f->members[k]->call.thread == e->thread)
                write_answer(t, f->members[k], &e->result);
    }
    return true;
}

/* ---- decisions ---- */

static void write_choice(struct sched_trace *t, const struct poe_choice *c)
{
    static const char *const words[] = {
        [POE_TAKE_MESSAGE] = "message", [POE_TAKE_SUBSET] = "subset", [POE_NOT_YET] = "not yet",
        [POE_CANCEL] = "cancel",        [POE_ADMIT] = "admit",        [POE_GRANT] = "grant"};
    const int64_t row[] = {here(t)->id, c->transition->rank, (int64_t)c->transition->index, c->n};
    sched_store_numbers(t->store, SCHED_TABLE_CHOICE, row, 4, 0);
    for (unsigned i = 0; i < c->n; i++) {
        const struct poe_alternative *a = &c->alternatives[i];
        bool message = a->kind == POE_TAKE_MESSAGE;
        const struct sched_value alternative[] = {
            SCHED_NUMBER(here(t)->id),
            SCHED_NUMBER(i),
            SCHED_TEXT(words[a->kind]),
            message ? SCHED_NUMBER(a->source) : SCHED_TEXT(NULL),
            message ? SCHED_NUMBER(a->source_index) : SCHED_TEXT(NULL),
            SCHED_TEXT(a->kind == POE_TAKE_SUBSET ? numbers(t, a->positions, a->n) : NULL)};
        sched_store_row(t->store, SCHED_TABLE_ALTERNATIVE, alternative, 6);
    }
}

int64_t sched_trace_child(struct sched_trace *t, int64_t parent, unsigned taken)
{
    const int64_t way[] = {parent, taken};
    return sched_store_ask(t->store, "SELECT id FROM node WHERE parent = ? AND taken = ?", way, 2, -1);
}

int64_t sched_trace_root(struct sched_trace *t, bool buffered)
{
    const int64_t is_buffered = buffered;
    return sched_store_ask(t->store, "SELECT id FROM node WHERE parent IS NULL AND buffered = ?",
                           &is_buffered, 1, -1);
}

static void decide(void *self, struct sched_run *run, const struct poe_choice *c, unsigned taken)
{
    struct sched_trace *t = self;
    bool known = here(t)->closed;
    if (!known) {
        write_choice(t, c);
        close_node(t);
    }
    if (t->at + 1 < t->n && t->path[t->at + 1].taken == taken) {
        t->at++;
        return;
    }
    t->n = t->at + 1;
    forget_comms(t);
    int64_t parent = here(t)->id;
    /* of an earlier job, or of an earlier random walk */
    int64_t child = known ? sched_trace_child(t, parent, taken) : -1;
    push(t, taken);
    if (child < 0)
        return;
    t->next_node--;
    t->path[t->at] = (struct node){.id = child, .taken = taken, .closed = true};
}

/* ---- the end of a run ---- */

/* A rank, or a thread of it, that waits; pending: what for. */
static void write_waiting(struct sched_trace *t, const struct sched_run *run, int rank, unsigned thread)
{
    const struct poe_wait *w = poe_wait_thread(run->poe, rank, thread);
    if (!w->at && !w->finished)
        return;
    text_begin(t);
    for (unsigned i = 0; i < w->n_pending; i++)
        text_number(t, shown_number(w->pending[i]));
    const char *text = text_end(t);
    char *pending = text ? sched_strdup(text) : NULL;
    const struct sched_value row[] = {SCHED_NUMBER(t->next_interleaving),
                                      SCHED_NUMBER(rank),
                                      SCHED_NUMBER(thread),
                                      w->at ? SCHED_NUMBER(shown_number(w->at)) : SCHED_TEXT(NULL),
                                      SCHED_NUMBER(w->finished),
                                      SCHED_NUMBER(w->polling),
                                      SCHED_TEXT(w->finished                ? NULL
                                                 : w->kind == POE_WAITS_ANY ? "any"
                                                                            : "all"),
                                      SCHED_TEXT(numbers(t, (const uint32_t *)w->ranks, w->n_ranks)),
                                      SCHED_TEXT(pending)};
    sched_store_row(t->store, SCHED_TABLE_WAITING, row, 9);
    free(pending);
}

int64_t sched_trace_node(const struct sched_trace *t) { return t->n ? t->path[t->at].id : 0; }

void sched_trace_join(struct sched_trace *t, const struct sched_trace_place *place, uint64_t stands_for)
{
    t->joins.node = place->node;
    t->joins.name = place->interleaving;
    t->joins.stands_for = stands_for;
}

static void write_join(struct sched_trace *t)
{
    const struct sched_value row[] = {SCHED_NUMBER(t->next_interleaving), SCHED_NUMBER(t->joins.node),
                                      SCHED_TEXT(t->joins.name), SCHED_NUMBER(t->joins.stands_for)};
    sched_store_row(t->store, SCHED_TABLE_JOINED, row, 4);
}

static void end(void *self, const struct sched_run *run, const char *ending, bool stuck)
{
    struct sched_trace *t = self;
    if (!t->n)
        return;
    if (t->joins.node)
        write_join(t);
    t->joins.node = 0;
    for (int rank = 0; stuck && rank < run->options->ranks; rank++)
        for (unsigned thread = 0; thread < poe_threads(run->poe, rank); thread++)
            write_waiting(t, run, rank, thread);
    if (!here(t)->closed)
        close_node(t);
    t->ended = t->next_interleaving++;
    const struct sched_value row[] = {SCHED_NUMBER(t->ended), SCHED_TEXT(run->interleaving),
                                      SCHED_NUMBER(run->buffered), SCHED_NUMBER(here(t)->id),
                                      SCHED_TEXT(ending)};
    sched_store_row(t->store, SCHED_TABLE_INTERLEAVING, row, 5);
}

const struct sched_listener sched_trace_listener = {
    .begin = begin, .call = call, .fired = fired, .decide = decide, .end = end};

/* ---- the trace ---- */

static struct sched_trace *create(struct sched_store *store, struct sched_sites *sites)
{
    if (!store)
        return NULL;
    struct sched_trace *t = sched_alloc(1, sizeof *t);
    *t = (struct sched_trace){.store = store,
                              .sites = sites,
                              .next_node = 1,
                              .next_call = 1,
                              .next_match = 1,
                              .next_answer = 1,
                              .next_interleaving = 1,
                              .next_kind = 1};
    return t;
}

struct sched_trace *sched_trace_create(const char *file, struct sched_sites *sites, char **why)
{
    return create(sched_store_create(file, why), sites);
}

struct sched_trace *sched_trace_create_part(const struct sched_trace *whole, unsigned number,
                                            struct sched_sites *sites)
{
    char *file = sched_trace_part_file(whole, number), *why = NULL;
    struct sched_trace *part = create(sched_store_create_at(file, &why), sites);
    free(file);
    free(why);
    return part;
}

char *sched_trace_part_file(const struct sched_trace *whole, unsigned number)
{
    return sched_format("%s.%u", sched_store_file(whole->store), number);
}

void sched_trace_lack(struct sched_trace *t, const char *what) { t->lacks = t->lacks ? t->lacks : what; }

const char *sched_trace_lacks(const struct sched_trace *t) { return t->lacks; }

void sched_trace_destroy(struct sched_trace *t)
{
    if (!t)
        return;
    struct kind *kind, *next;
    HASH_ITER (hh, t->kinds, kind, next) {
        HASH_DEL(t->kinds, kind);
        free(kind);
    }
    sched_store_destroy(t->store);
    sched_trace_free_shown_keys(t);
    free(t->path);
    free(t->comms);
    free(t->occurs);
    free(t->text);
    free(t);
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "past.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "places.h"

/* A node of the path. */
struct part {
    int64_t first_call, end_call, first_match, end_match;
};

struct reading {
    struct sched_past *past;
    struct sched_places *places;
    struct part *parts;
    int32_t n_parts;
    sqlite3_stmt *kind, *call, *match, *member;
};

/* The array with room for one more element. */
static char *copy_text(sqlite3_stmt *query, int column)
{
    const char *text = sched_query_text(query, column);
    return text ? sched_strdup(text) : NULL;
}

static void append(struct sched_past *p, int32_t value)
{
    SCHED_GROW(p->list, p->n_list);
    p->list[p->n_list++] = value;
}

/* The interleaving's nodes, from the root. */
static bool read_path(struct reading *r, int64_t node)
{
    struct sched_asked *asked = r->past->asked;
    sqlite3_stmt *query = sched_query(
        asked, "SELECT parent, first_call, end_call, first_match, end_match FROM node WHERE id = ?");
    bool ok = true;
    while (ok && node >= 0) {
        sched_query_begin(query, 1, &node);
        ok = sched_query_next(asked, query);
        int64_t parent = ok ? sched_query_number(query, 0, -1) : -1;
        ok = ok && parent < node; /* so no path is endless */
        if (!ok)
            break;
        SCHED_GROW(r->parts, r->n_parts);
        struct part *part = &r->parts[r->n_parts++];
        *part = (struct part){sched_query_number(query, 1, 0), sched_query_number(query, 2, 0),
                              sched_query_number(query, 3, 0), sched_query_number(query, 4, 0)};
        ok = part->first_call >= 0;
        node = parent;
    }
    sqlite3_finalize(query);
    for (int32_t i = 0; i < r->n_parts / 2; i++) {
        struct part swap = r->parts[i];
        r->parts[i] = r->parts[r->n_parts - 1 - i];
        r->parts[r->n_parts - 1 - i] = swap;
    }
    return ok;
}

static const struct sched_past_kind *kind_of(struct reading *r, int64_t id)
{
    struct sched_past_kind *kind;
    HASH_FIND(hh, r->past->kinds, &id, sizeof id, kind);
    if (kind)
        return kind;
    sqlite3_stmt *q = r->kind;
    kind = sched_alloc(1, sizeof *kind);
    kind->id = id;
    sched_query_begin(q, 1, &id);
    if (sched_query_next(r->past->asked, q))
        *kind = (struct sched_past_kind){.id = id,
                                         .op = copy_text(q, 0),
                                         .mode = copy_text(q, 1),
                                         .function = copy_text(q, 2),
                                         .label = copy_text(q, 3),
                                         .file = copy_text(q, 4),
                                         .caller = copy_text(q, 5),
                                         .line = sched_query_number(q, 6, 0),
                                         .thread = sched_query_number(q, 7, 0),
                                         .comm = sched_query_number(q, 8, INT64_MIN),
                                         .peer = sched_query_number(q, 9, INT64_MIN),
                                         .tag = sched_query_number(q, 10, INT64_MIN),
                                         .root = sched_query_number(q, 11, INT64_MIN),
                                         .flags = sched_query_number(q, 12, 0)};
    HASH_ADD(hh, r->past->kinds, id, sizeof kind->id, kind);
    return kind;
}

/* Numbers of calls of one rank, as a list of them; *first is where it begins. How many there are. */
static int32_t add_calls_of(struct reading *r, int64_t rank, const char *numbers, int32_t *first)
{
    struct sched_past *p = r->past;
    int64_t number;
    *first = p->n_list;
    while (sched_query_list(&numbers, &number))
        append(p, sched_places_find(r->places, rank, number));
    return p->n_list - *first;
}

static void read_calls(struct reading *r, const struct part *part)
{
    struct sched_past *p = r->past;
    sched_query_begin(r->call, 2, (const int64_t[]){part->first_call, part->end_call});
    while (sched_query_next(p->asked, r->call)) {
        struct sched_past_call call = {kind_of(r, sched_query_number(r->call, 2, 0)),
                                       sched_query_number(r->call, 0, -1),
                                       sched_query_number(r->call, 1, -1),
                                       0,
                                       0,
                                       -1};
        call.n_requests = add_calls_of(r, call.rank, sched_query_text(r->call, 3), &call.first_request);
        if (call.number >= 0)
            sched_places_note(r->places, call.rank, call.number, p->n_calls);
        SCHED_GROW(p->calls, p->n_calls);
        p->calls[p->n_calls++] = call;
    }
}

static void read_members(struct reading *r, int64_t match, struct sched_past_match *m)
{
    struct sched_past *p = r->past;
    m->first_member = p->n_list;
    sched_query_begin(r->member, 1, &match);
    while (sched_query_next(p->asked, r->member)) {
        int32_t call = sched_places_find(r->places, sched_query_number(r->member, 0, -1),
                                         sched_query_number(r->member, 1, -1));
        if (call < 0)
            continue;
        append(p, call);
        p->calls[call].match = p->n_matches;
    }
    m->n_members = p->n_list - m->first_member;
}

static bool read_pair(struct reading *r, struct sched_past_match *m)
{
    struct sched_past *p = r->past;
    m->send = sched_places_find(r->places, sched_query_number(r->match, 2, -1),
                                sched_query_number(r->match, 3, -1));
    m->receive = sched_places_find(r->places, sched_query_number(r->match, 4, -1),
                                   sched_query_number(r->match, 5, -1));
    if (m->send < 0 || m->receive < 0)
        return false;
    p->calls[m->receive].match = p->n_matches;
    if (!sched_past_is(&p->calls[m->receive], "probe"))
        p->calls[m->send].match = p->n_matches;
    return true;
}

/* first: what the node's first call became. */
static void read_matches(struct reading *r, const struct part *part, int32_t first)
{
    struct sched_past *p = r->past;
    sched_query_begin(r->match, 2, (const int64_t[]){part->first_match, part->end_match});
    while (sched_query_next(p->asked, r->match)) {
        int64_t after = sched_query_number(r->match, 1, -1);
        bool here = after >= part->first_call && after - part->first_call < p->n_calls - first;
        struct sched_past_match m = {.after = here ? first + (int32_t)(after - part->first_call) : first - 1,
                                     .send = -1,
                                     .receive = -1};
        if (sqlite3_column_type(r->match, 3) == SQLITE_NULL)
            read_members(r, sched_query_number(r->match, 0, -1), &m);
        else if (!read_pair(r, &m))
            continue;
        SCHED_GROW(p->matches, p->n_matches);
        p->matches[p->n_matches++] = m;
    }
}

static void read_waiting(struct reading *r, int64_t interleaving)
{
    struct sched_past *p = r->past;
    sqlite3_stmt *q = sched_query(p->asked, "SELECT rank, thread, number, finished, needs, ranks, pending "
                                            "FROM waiting WHERE interleaving = ? ORDER BY rowid");
    sched_query_begin(q, 1, &interleaving);
    while (sched_query_next(p->asked, q)) {
        const char *needs = sched_query_text(q, 4);
        struct sched_past_waiting w = {.rank = sched_query_number(q, 0, -1),
                                       .thread = sched_query_number(q, 1, 0),
                                       .finished = sched_query_number(q, 3, 0),
                                       .any = needs && strcmp(needs, "any") == 0};
        w.call = sched_places_find(r->places, w.rank, sched_query_number(q, 2, -1));
        w.first_rank = p->n_list;
        int64_t rank;
        for (const char *ranks = sched_query_text(q, 5); sched_query_list(&ranks, &rank);)
            append(p, (int32_t)rank);
        w.n_ranks = p->n_list - w.first_rank;
        w.n_pending = add_calls_of(r, w.rank, sched_query_text(q, 6), &w.first_pending);
        SCHED_GROW(p->waiting, p->n_waiting);
        p->waiting[p->n_waiting++] = w;
    }
    sqlite3_finalize(q);
}

static void read_join(struct sched_past *p, int64_t interleaving)
{
    sqlite3_stmt *q = sched_query(p->asked, "SELECT j.name, n.depth, j.stands_for FROM joined j "
                                            "JOIN node n ON n.id = j.node WHERE j.interleaving = ?");
    sched_query_begin(q, 1, &interleaving);
    if (sched_query_next(p->asked, q)) {
        p->joins = copy_text(q, 0);
        p->decision = sched_query_number(q, 1, 0);
        p->stands_for = sched_query_number(q, 2, 0);
    }
    sqlite3_finalize(q);
}

static void read_parts(struct reading *r)
{
    struct sched_asked *asked = r->past->asked;
    r->places = sched_places_create(sched_query_most_rows(asked));
    r->kind = sched_query(asked, "SELECT k.op, k.mode, k.function, k.label, s.file, s.function, s.line, "
                                 "k.thread, k.comm, k.peer, k.tag, k.root, k.flags FROM kind k "
                                 "LEFT JOIN site s ON s.id = k.site WHERE k.id = ?");
    r->call = sched_query(
        asked, "SELECT rank, number, kind, requests FROM call WHERE id >= ? AND id < ? ORDER BY id");
    r->match = sched_query(asked, "SELECT id, call, send_rank, send, receive_rank, receive FROM match "
                                  "WHERE id >= ? AND id < ? ORDER BY id");
    r->member = sched_query(asked, "SELECT rank, number FROM member WHERE match = ? ORDER BY rank, number");
    for (int32_t i = 0; i < r->n_parts; i++) {
        int32_t first = r->past->n_calls;
        read_calls(r, &r->parts[i]);
        read_matches(r, &r->parts[i], first);
    }
    sqlite3_finalize(r->kind);
    sqlite3_finalize(r->call);
    sqlite3_finalize(r->match);
    sqlite3_finalize(r->member);
}

static void forget_run(struct sched_past *p)
{
    free(p->name);
    free(p->ending);
    free(p->joins);
    p->name = p->ending = p->joins = NULL;
    free(p->calls);
    free(p->matches);
    free(p->waiting);
    free(p->list);
    p->calls = NULL;
    p->matches = NULL;
    p->waiting = NULL;
    p->list = NULL;
    p->n_calls = p->n_matches = p->n_waiting = p->n_list = 0;
}

void sched_past_init(struct sched_past *p, struct sched_asked *asked)
{
    *p = (struct sched_past){.asked = asked};
}

bool sched_past_read(struct sched_past *p, int64_t interleaving)
{
    struct reading r = {.past = p};
    forget_run(p);
    sqlite3_stmt *query =
        sched_query(p->asked, "SELECT name, buffered, node, ending FROM interleaving WHERE id = ?");
    sched_query_begin(query, 1, &interleaving);
    bool known = sched_query_next(p->asked, query);
    int64_t node = known ? sched_query_number(query, 2, -1) : -1;
    if (known) {
        p->name = copy_text(query, 0);
        p->buffered = sched_query_number(query, 1, 0);
        p->ending = copy_text(query, 3);
    }
    sqlite3_finalize(query);
    bool ok = node >= 0 && read_path(&r, node);
    if (ok) {
        read_parts(&r);
        read_waiting(&r, interleaving);
        read_join(p, interleaving);
    } else if (known) {
        p->asked->damaged = true;
    }
    sched_places_destroy(r.places);
    free(r.parts);
    return ok;
}

void sched_past_finish(struct sched_past *p)
{
    forget_run(p);
    struct sched_past_kind *kind, *next;
    HASH_ITER (hh, p->kinds, kind, next) {
        HASH_DEL(p->kinds, kind);
        char *const texts[] = {kind->op, kind->mode, kind->function, kind->label, kind->file, kind->caller};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            free(texts[i]);
        free(kind);
    }
}

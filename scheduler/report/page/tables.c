/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tree is gone through depth first, and its rows are numbered on the way. A trace names a call by its
 * rank and number, which mean different calls on different branches; so it is known, at each node, which rows
 * the calls on the path to it are.
 */
#include "../json.h"
#include "tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "before.h"
#include "trace/op_words.h"
#include "trace/places.h"

enum { MAX_WAITING = 20000 }; /* of interleavings without findings */

/* An id of the trace, and its place in a list of the page. */
struct renumbered {
    int64_t id;
    int32_t row;
    UT_hash_handle hh;
};

/* What there was when a node was entered. */
struct entered {
    size_t places;
    struct poe_ancestors_mark calls;
};

struct walk {
    struct sched_page_tables *t;
    struct sched_asked *asked;
    const struct sched_page_selection *s;
    struct sched_places *places;
    struct sched_page_before *before;
    struct renumbered *kinds, *sites;
    struct poe_ancestor_call *asked_of; /* of each kind, what decides who comes before whom */
    int32_t *named;                     /* scratch: rows that a call names */
    int64_t n_named;
    sqlite3_stmt *call, *match, *member, *answer, *choice, *alternative, *kind, *site, *communicator,
        *waiting, *ending, *joined, *shown;
    int32_t *rows; /* of the nodes */
    struct entered *entered;
    int32_t *last_call; /* row of the last call on the path to the node, itself included; or -1 */
    int waited;
};

static json_t *text_at(sqlite3_stmt *query, int column)
{
    return sched_json_text(sched_query_text(query, column));
}

static json_t *number_at(sqlite3_stmt *query, int column)
{
    return sqlite3_column_type(query, column) == SQLITE_NULL
               ? json_null()
               : json_integer(sqlite3_column_int64(query, column));
}

static int64_t rows(const struct walk *w, enum sched_page_table_id table) { return w->t->table[table].rows; }

static void row(struct walk *w, enum sched_page_table_id table, const int64_t *values)
{
    sched_page_row(&w->t->table[table], values);
}

/* ---- kinds and sites ---- */

/* The row of an id; -1 if it has none yet, and then *added has the place for it. */
static int32_t renumber(struct renumbered **all, int64_t id, struct renumbered **added)
{
    struct renumbered *r;
    HASH_FIND(hh, *all, &id, sizeof id, r);
    if (r)
        return r->row;
    r = sched_alloc(1, sizeof *r);
    r->id = id;
    HASH_ADD(hh, *all, id, sizeof r->id, r);
    *added = r;
    return -1;
}

static void forget(struct renumbered *all)
{
    struct renumbered *r, *next;
    HASH_ITER (hh, all, r, next) {
        HASH_DEL(all, r);
        free(r);
    }
}

static int32_t site_row(struct walk *w, int64_t id)
{
    if (id <= 0)
        return 0;
    struct renumbered *added;
    int32_t known = renumber(&w->sites, id, &added);
    if (known >= 0)
        return known;
    added->row = w->t->sites.n;
    sched_query_begin(w->site, 1, &id);
    json_t *site = json_null();
    if (sched_query_next(w->asked, w->site)) {
        sched_page_sources_note(w->t->sources, sched_query_text(w->site, 0),
                                sched_query_number(w->site, 1, 0));
        site = json_pack("{so,so,so,so,so}", "file", text_at(w->site, 0), "line", number_at(w->site, 1),
                         "function", text_at(w->site, 2), "module", text_at(w->site, 3), "offset",
                         number_at(w->site, 4));
    }
    sched_page_list_add(&w->t->sites, site);
    return added->row;
}

static json_t *kind_json(struct walk *w)
{
    sqlite3_stmt *q = w->kind;
    json_t *kind = json_pack("{so,so,so,so,si,so}", "op", text_at(q, 0), "mode", text_at(q, 1), "call",
                             text_at(q, 2), "label", text_at(q, 3), "site",
                             (int)site_row(w, sched_query_number(q, 4, 0)), "data", text_at(q, 11));
    static const char *const numbers[] = {"thread", "comm", "peer", "tag", "root", "bytes"};
    for (int i = 0; i < 6; i++)
        json_object_set_new(kind, numbers[i], number_at(q, 5 + i));
    json_object_set_new(kind, "flags", number_at(q, 12));
    json_object_set_new(kind, "leads", json_boolean(poe_ancestor_leads(&w->asked_of[w->t->kinds.n])));
    return kind;
}

static void note_kind(struct walk *w, bool known)
{
    int32_t n = w->t->kinds.n;
    sqlite3_stmt *q = w->kind;
    struct sched_kind_numbers numbers = {0};
    SCHED_GROW(w->asked_of, n);
    if (known)
        numbers = (struct sched_kind_numbers){.thread = sched_query_number(q, 5, 0),
                                              .comm = sched_query_number(q, 6, INT64_MIN),
                                              .peer = sched_query_number(q, 7, INT64_MIN),
                                              .tag = sched_query_number(q, 8, INT64_MIN),
                                              .flags = sched_query_number(q, 12, 0)};
    w->asked_of[n] = sched_ancestor_call(known ? sched_query_text(q, 0) : NULL,
                                         known ? sched_query_text(q, 1) : NULL, &numbers);
}

static int32_t kind_row(struct walk *w, int64_t id)
{
    struct renumbered *added;
    int32_t known = renumber(&w->kinds, id, &added);
    if (known >= 0)
        return known;
    added->row = w->t->kinds.n;
    sched_query_begin(w->kind, 1, &id);
    bool there = sched_query_next(w->asked, w->kind);
    note_kind(w, there);
    sched_page_list_add(&w->t->kinds, there ? kind_json(w) : json_null());
    return added->row;
}

/* ---- a node ---- */

static void begin(sqlite3_stmt *query, int64_t first, int64_t end)
{
    sched_query_begin(query, 2, (const int64_t[]){first, end});
}

/* `requests` is a list of numbers of the same rank. */
static void add_requests(struct walk *w, int64_t rank, const char *requests, int64_t *first, int64_t *n)
{
    int64_t number;
    *first = requests ? rows(w, SCHED_PAGE_REQUEST) : -1;
    w->n_named = 0;
    while (sched_query_list(&requests, &number)) {
        const int64_t value = sched_places_find(w->places, rank, number);
        row(w, SCHED_PAGE_REQUEST, &value);
        SCHED_GROW(w->named, w->n_named);
        w->named[w->n_named++] = (int32_t)value;
    }
    *n = w->n_named;
}

/* The one that w->call is at. */
static void add_call(struct walk *w)
{
    int64_t rank = sched_query_number(w->call, 0, -1), number = sched_query_number(w->call, 1, -1);
    int64_t values[] = {rank, sched_places_index(number), kind_row(w, sched_query_number(w->call, 2, 0)), 0,
                        0};
    int32_t at = (int32_t)rows(w, SCHED_PAGE_CALL);
    add_requests(w, rank, sched_query_text(w->call, 3), &values[3], &values[4]);
    if (number >= 0)
        sched_places_note(w->places, rank, number, at);
    sched_page_before_call(w->before, at, rank, &w->asked_of[values[2]], w->named, (uint32_t)w->n_named);
    row(w, SCHED_PAGE_CALL, values);
}

static void add_members(struct walk *w, int64_t match, int64_t *first, int64_t *n)
{
    *first = rows(w, SCHED_PAGE_MEMBER);
    sched_query_begin(w->member, 1, &match);
    while (sched_query_next(w->asked, w->member)) {
        const int64_t call = sched_places_find(w->places, sched_query_number(w->member, 0, -1),
                                               sched_query_number(w->member, 1, -1));
        if (call >= 0)
            row(w, SCHED_PAGE_MEMBER, &call);
    }
    *n = rows(w, SCHED_PAGE_MEMBER) - *first;
}

/* Whether w->match is at one, and the row of the last call that was known then. first: the row of the node's
 * first call; above: that of the last call before the node. */
static bool next_match(struct walk *w, const struct sched_page_node *node, int64_t first, int64_t above,
                       int64_t *after)
{
    if (!sched_query_next(w->asked, w->match))
        return false;
    *after = sched_query_number(w->match, 1, -1);
    if (*after >= node->end_call) /* damaged */
        *after = node->end_call - 1;
    *after = *after < node->first_call ? above : first + *after - node->first_call;
    return true;
}

/* Those of calls that the page does not have are left out. */
static void add_match(struct walk *w, int64_t after)
{
    int64_t values[] = {after, -1, -1, -1, 0};
    if (sqlite3_column_type(w->match, 3) == SQLITE_NULL) {
        add_members(w, sched_query_number(w->match, 0, -1), &values[3], &values[4]);
    } else {
        values[1] = sched_places_find(w->places, sched_query_number(w->match, 2, -1),
                                      sched_query_number(w->match, 3, -1));
        values[2] = sched_places_find(w->places, sched_query_number(w->match, 4, -1),
                                      sched_query_number(w->match, 5, -1));
        sched_page_before_match(w->before, (int32_t)values[1], (int32_t)values[2]);
    }
    if (values[4] > 0 || (values[1] >= 0 && values[2] >= 0))
        row(w, SCHED_PAGE_MATCH, values);
}

/* In the order in which they came about: what comes before a call depends on the matches that were made
 * before it. */
static void add_calls_and_matches(struct walk *w, const struct sched_page_node *node, int64_t above)
{
    const int64_t first = rows(w, SCHED_PAGE_CALL);
    int64_t after;
    begin(w->call, node->first_call, node->end_call);
    begin(w->match, node->first_match, node->end_match);
    bool matched = next_match(w, node, first, above, &after);
    while (sched_query_next(w->asked, w->call)) {
        for (; matched && after < rows(w, SCHED_PAGE_CALL);
             matched = next_match(w, node, first, above, &after))
            add_match(w, after);
        add_call(w);
    }
    for (; matched; matched = next_match(w, node, first, above, &after))
        add_match(w, after);
}

static void add_positions(struct walk *w, const char *positions, int64_t *first, int64_t *n)
{
    int64_t position;
    *first = positions ? rows(w, SCHED_PAGE_POSITION) : -1;
    while (sched_query_list(&positions, &position))
        row(w, SCHED_PAGE_POSITION, &position);
    *n = *first < 0 ? 0 : rows(w, SCHED_PAGE_POSITION) - *first;
}

static void add_answers(struct walk *w, const struct sched_page_node *node)
{
    begin(w->answer, node->first_answer, node->end_answer);
    while (sched_query_next(w->asked, w->answer)) {
        int64_t call = sched_places_find(w->places, sched_query_number(w->answer, 0, -1),
                                         sched_query_number(w->answer, 1, -1));
        if (call < 0)
            continue;
        int64_t values[] = {call,
                            sched_query_number(w->answer, 2, -1),
                            sched_query_number(w->answer, 4, -1),
                            sched_query_number(w->answer, 5, -1),
                            sched_query_number(w->answer, 6, -1),
                            0,
                            0};
        add_positions(w, sched_query_text(w->answer, 3), &values[5], &values[6]);
        row(w, SCHED_PAGE_ANSWER, values);
    }
}

static int64_t alternative_word(const char *what)
{
    static const char *const words[] = {"message", "subset", "not yet", "cancel", "admit"};
    for (int i = 0; what && i < 5; i++)
        if (strcmp(what, words[i]) == 0)
            return i;
    return -1;
}

static void add_choice(struct walk *w, int32_t at)
{
    const struct sched_page_node *node = w->s->nodes[at];
    sched_query_begin(w->choice, 1, &node->id);
    if (!sched_query_next(w->asked, w->choice))
        return;
    const int64_t choice = rows(w, SCHED_PAGE_CHOICE);
    row(w, SCHED_PAGE_CHOICE,
        (const int64_t[]){w->rows[at],
                          sched_places_find(w->places, sched_query_number(w->choice, 0, -1),
                                            sched_query_number(w->choice, 1, -1)),
                          sched_query_number(w->choice, 2, 0)});
    sched_query_begin(w->alternative, 1, &node->id);
    while (sched_query_next(w->asked, w->alternative)) {
        sqlite3_stmt *q = w->alternative;
        int64_t values[] = {
            choice,
            sched_query_number(q, 0, 0),
            alternative_word(sched_query_text(q, 1)),
            sched_places_find(w->places, sched_query_number(q, 2, -1), sched_query_number(q, 3, -1)),
            0,
            0};
        add_positions(w, sched_query_text(q, 4), &values[4], &values[5]);
        row(w, SCHED_PAGE_ALTERNATIVE, values);
    }
}

/* ---- what belongs to a node, or to an interleaving that ends there ---- */

static json_t *list_of(const char *numbers)
{
    json_t *list = json_array();
    int64_t number;
    while (sched_query_list(&numbers, &number))
        json_array_append_new(list, json_integer(number));
    return list;
}

static void add_waiting(struct walk *w, int32_t interleaving)
{
    const struct sched_page_interleaving *each = w->s->interleavings[interleaving];
    if (!each->has_finding && w->waited >= MAX_WAITING)
        return;
    sched_query_begin(w->waiting, 1, &each->id);
    while (sched_query_next(w->asked, w->waiting)) {
        sqlite3_stmt *q = w->waiting;
        int64_t rank = sched_query_number(q, 0, -1), number;
        json_t *pending = json_array();
        const char *rest = sched_query_text(q, 7);
        while (sched_query_list(&rest, &number))
            json_array_append_new(pending, json_integer(sched_places_find(w->places, rank, number)));
        sched_page_list_add(&w->t->waiting,
                            json_pack("{si,so,so,si,so,so,so,so,so}", "interleaving", (int)interleaving,
                                      "rank", number_at(q, 0), "thread", number_at(q, 1), "call",
                                      (int)sched_places_find(w->places, rank, sched_query_number(q, 2, -1)),
                                      "finished", json_boolean(sched_query_number(q, 3, 0)), "polling",
                                      json_boolean(sched_query_number(q, 4, 0)), "needs", text_at(q, 5),
                                      "ranks", list_of(sched_query_text(q, 6)), "pending", pending));
        w->waited++;
    }
}

static void enter(struct walk *w, int32_t at)
{
    const struct sched_page_node *n = w->s->nodes[at];
    int64_t first_call = rows(w, SCHED_PAGE_CALL), first_match = rows(w, SCHED_PAGE_MATCH),
            first_answer = rows(w, SCHED_PAGE_ANSWER), first_before = rows(w, SCHED_PAGE_BEFORE);
    int32_t above = n->parent < 0 ? -1 : w->last_call[n->parent];
    w->rows[at] = (int32_t)rows(w, SCHED_PAGE_NODE);
    w->entered[at] = (struct entered){sched_places_count(w->places), sched_page_before_enter(w->before)};
    if (n->has_calls) {
        add_calls_and_matches(w, n, above);
        add_answers(w, n);
        sched_page_before_write(w->before, &w->entered[at].calls, &w->t->table[SCHED_PAGE_BEFORE]);
    }
    int64_t end_call = rows(w, SCHED_PAGE_CALL);
    w->last_call[at] = end_call > first_call ? (int32_t)end_call - 1 : above;
    row(w, SCHED_PAGE_NODE,
        (const int64_t[]){n->parent < 0 ? -1 : w->rows[n->parent], n->taken, n->buffered, n->depth,
                          n->has_calls ? first_call : -1, n->has_calls ? end_call : -1, first_match,
                          rows(w, SCHED_PAGE_MATCH), first_answer, rows(w, SCHED_PAGE_ANSWER), first_before,
                          rows(w, SCHED_PAGE_BEFORE)});
    add_choice(w, at);
    for (int32_t i = n->first_interleaving; i >= 0; i = w->s->interleavings[i]->next)
        add_waiting(w, i);
}

static void walk_tree(struct walk *w, int32_t root)
{
    int32_t at = root;
    while (at >= 0) {
        enter(w, at);
        if (w->s->nodes[at]->first_child >= 0) {
            at = w->s->nodes[at]->first_child;
            continue;
        }
        while (at >= 0) {
            sched_places_back(w->places, w->entered[at].places);
            sched_page_before_back(w->before, &w->entered[at].calls);
            if (w->s->nodes[at]->next_sibling >= 0)
                break;
            at = w->s->nodes[at]->parent;
        }
        at = at < 0 ? -1 : w->s->nodes[at]->next_sibling;
    }
}

/* ---- the rest ---- */

static int64_t ending_row(struct walk *w, const char *word)
{
    size_t i;
    const json_t *each;
    word = word ? word : "";
    json_array_foreach (w->t->endings, i, each)
        if (strcmp(json_string_value(each), word) == 0)
            return (int64_t)i;
    json_array_append_new(w->t->endings, sched_json_text(word));
    return (int64_t)i;
}

static void add_printed(struct walk *w, int32_t interleaving, const char *text)
{
    char row[16];
    snprintf(row, sizeof row, "%d", (int)interleaving);
    if (text)
        json_object_set_new(w->t->printed, row, sched_json_text(text));
}

/* A number of interleavings is written as its halves, of 32 bits each. */
static void add_join(struct walk *w, int32_t interleaving)
{
    sched_query_begin(w->joined, 1, &w->s->interleavings[interleaving]->id);
    if (!sched_query_next(w->asked, w->joined))
        return;
    int32_t at = sched_page_find_node(w->s, sched_query_number(w->joined, 0, -1));
    int64_t stands_for = sched_query_number(w->joined, 1, 0);
    stands_for = stands_for < 0 ? 0 : stands_for;
    row(w, SCHED_PAGE_JOINED,
        (const int64_t[]){interleaving, at < 0 ? -1 : w->rows[at], (int32_t)(uint32_t)stands_for,
                          stands_for >> 32});
}

static void add_shown(struct walk *w, int32_t interleaving)
{
    sched_query_begin(w->shown, 1, &w->s->interleavings[interleaving]->id);
    while (sched_query_next(w->asked, w->shown)) {
        int64_t finding = sched_query_number(w->shown, 0, 0);
        if (finding > 0 && finding <= INT32_MAX)
            row(w, SCHED_PAGE_SHOWN, (const int64_t[]){interleaving, finding - 1});
    }
}

static void add_interleavings(struct walk *w)
{
    for (int32_t i = 0; i < w->s->n_interleavings; i++) {
        const struct sched_page_interleaving *each = w->s->interleavings[i];
        sched_query_begin(w->ending, 1, &each->id);
        bool known = sched_query_next(w->asked, w->ending);
        row(w, SCHED_PAGE_INTERLEAVING,
            (const int64_t[]){w->rows[each->node], w->s->nodes[each->node]->buffered,
                              ending_row(w, known ? sched_query_text(w->ending, 0) : NULL)});
        add_printed(w, i, known ? sched_query_text(w->ending, 1) : NULL);
        add_join(w, i);
        add_shown(w, i);
    }
}

static void add_communicators(struct walk *w)
{
    while (sched_query_next(w->asked, w->communicator)) {
        sqlite3_stmt *q = w->communicator;
        int64_t id = sched_query_number(q, 0, -1);
        int32_t at = sched_page_find_node(w->s, id);
        if (at >= 0)
            sched_page_list_add(&w->t->communicators,
                                json_pack("{si,so,so,so}", "node", (int)w->rows[at], "comm", number_at(q, 1),
                                          "members", list_of(sched_query_text(q, 2)), "first_side",
                                          number_at(q, 3)));
    }
}

static void prepare(struct walk *w)
{
    const struct {
        sqlite3_stmt **query;
        const char *sql;
    } queries[] = {
        {&w->call, "SELECT rank, number, kind, requests FROM call WHERE id >= ? AND id < ? ORDER BY id"},
        {&w->match, "SELECT id, call, send_rank, send, receive_rank, receive FROM match WHERE id >= ? "
                    "AND id < ? ORDER BY id"},
        {&w->member, "SELECT rank, number FROM member WHERE match = ? ORDER BY rowid"},
        {&w->answer, "SELECT rank, number, flag, positions, source, tag, bytes FROM answer WHERE id >= ? "
                     "AND id < ? ORDER BY id"},
        {&w->choice, "SELECT rank, number, alternatives FROM choice WHERE node = ?"},
        {&w->alternative,
         "SELECT taken, what, rank, number, positions FROM alternative WHERE node = ? ORDER BY taken"},
        {&w->kind, "SELECT op, mode, function, label, site, thread, comm, peer, tag, root, bytes, data, "
                   "flags FROM kind WHERE id = ?"},
        {&w->site, "SELECT file, line, function, module, offset FROM site WHERE id = ?"},
        {&w->communicator, "SELECT node, comm, members, first_side FROM communicator ORDER BY rowid"},
        {&w->waiting, "SELECT rank, thread, number, finished, polling, needs, ranks, pending FROM waiting "
                      "WHERE interleaving = ? ORDER BY rowid"},
        {&w->ending,
         "SELECT ending, (SELECT text FROM printed WHERE interleaving = id) FROM interleaving WHERE id = ?"},
        {&w->joined, "SELECT node, stands_for FROM joined WHERE interleaving = ?"},
        {&w->shown, "SELECT DISTINCT k.finding FROM shown s JOIN shown_key k ON k.id = s.key "
                    "WHERE s.interleaving = ? AND k.finding IS NOT NULL ORDER BY k.finding"},
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        *queries[i].query = sched_query(w->asked, queries[i].sql);
}

static void finish(struct walk *w)
{
    sqlite3_stmt *const queries[] = {w->call,        w->match,  w->member, w->answer,       w->choice,
                                     w->alternative, w->kind,   w->site,   w->communicator, w->waiting,
                                     w->ending,      w->joined, w->shown};
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        sqlite3_finalize(queries[i]);
    forget(w->kinds);
    forget(w->sites);
    sched_places_destroy(w->places);
    free(w->rows);
    free(w->entered);
    free(w->last_call);
    free(w->asked_of);
    free(w->named);
    sched_page_before_destroy(w->before);
}

void sched_page_tables_init(struct sched_page_tables *t, struct sched_asked *asked,
                            const struct sched_page_selection *s, struct sched_page_sources *sources)
{
    *t =
        (struct sched_page_tables){
            .table =
                {
                    [SCHED_PAGE_NODE] = {.name = "node",
                                         .columns = {"parent", "taken", "buffered", "depth", "first_call",
                                                     "end_call", "first_match", "end_match", "first_answer",
                                                     "end_answer", "first_before", "end_before"}},
                    [SCHED_PAGE_CALL] = {.name = "call",
                                         .columns = {"rank", "number", "kind", "request", "requests"}},
                    [SCHED_PAGE_REQUEST] = {.name = "request", .columns = {"call"}},
                    [SCHED_PAGE_BEFORE] = {.name = "before", .columns = {"call", "steps"}},
                    [SCHED_PAGE_MATCH] = {.name = "match",
                                          .columns = {"after", "send", "receive", "member", "members"}},
                    [SCHED_PAGE_MEMBER] = {.name = "member", .columns = {"call"}},
                    [SCHED_PAGE_ANSWER] = {.name = "answer",
                                           .columns = {"call", "flag", "source", "tag", "bytes", "position",
                                                       "positions"}},
                    [SCHED_PAGE_POSITION] = {.name = "position", .columns = {"position"}},
                    [SCHED_PAGE_CHOICE] = {.name = "choice", .columns = {"node", "call", "alternatives"}},
                    [SCHED_PAGE_ALTERNATIVE] = {.name = "alternative",
                                                .columns = {"choice", "taken",
                                                            "what", "call", "position", "positions"}},
                    [SCHED_PAGE_INTERLEAVING] = {.name = "interleaving",
                                                 .columns = {"node", "buffered", "ending"}},
                    [SCHED_PAGE_JOINED] = {.name = "joined",
                                           .columns = {"interleaving", "node", "stands_for", "more"}},
                    [SCHED_PAGE_SHOWN] = {.name = "shown", .columns = {"interleaving", "finding"}},
                },
            .endings = json_array(),
            .printed = json_object(),
            .sources = sources};
    struct sched_page_list *const lists[] = {&t->kinds, &t->sites, &t->communicators, &t->waiting};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        sched_page_list_init(lists[i]);
    sched_page_list_add(&t->sites, json_null());
    size_t n = (size_t)s->n_nodes;
    struct walk w = {.t = t,
                     .asked = asked,
                     .s = s,
                     .places = sched_places_create(sched_query_most_rows(asked)),
                     .rows = sched_alloc(n, sizeof *w.rows),
                     .before = sched_page_before_create(),
                     .entered = sched_alloc(n, sizeof *w.entered),
                     .last_call = sched_alloc(n, sizeof *w.last_call)};
    prepare(&w);
    note_kind(&w, false); /* 0: none */
    sched_page_list_add(&t->kinds, json_null());
    for (int32_t i = 0; i < s->n_nodes; i++)
        if (s->nodes[i]->parent < 0)
            walk_tree(&w, i);
    add_interleavings(&w);
    add_communicators(&w);
    finish(&w);
}

void sched_page_tables_finish(struct sched_page_tables *t)
{
    for (int i = 0; i < SCHED_PAGE_TABLES; i++)
        sched_page_table_finish(&t->table[i]);
    sched_page_list_finish(&t->kinds);
    sched_page_list_finish(&t->sites);
    sched_page_list_finish(&t->communicators);
    sched_page_list_finish(&t->waiting);
    json_decref(t->endings);
    json_decref(t->printed);
}

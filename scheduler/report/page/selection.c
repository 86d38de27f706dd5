/* SPDX-License-Identifier: BSD-3-Clause */
#include "selection.h"

#include <stdlib.h>

#include "base/alloc.h"

struct selecting {
    struct sched_page_selection *s;
    struct sched_asked *asked;
    sqlite3_stmt *node;
    int64_t nodes_left, calls_left, most_rows;
    struct sched_page_node **way; /* scratch: from an interleaving's end up to what is known */
    size_t room;
};

/* Not yet part of the page. NULL: the trace has none. */
static struct sched_page_node *read_node(struct selecting *w, int64_t id)
{
    sched_query_begin(w->node, 1, &id);
    if (!sched_query_next(w->asked, w->node)) {
        w->asked->damaged = true;
        return NULL;
    }
    struct sched_page_node *n = sched_alloc(1, sizeof *n);
    int64_t value[10];
    for (int i = 0; i < 10; i++)
        value[i] = sched_query_number(w->node, i, -1);
    *n = (struct sched_page_node){.id = id,
                                  .parent_id = value[0],
                                  .taken = value[1],
                                  .buffered = value[2],
                                  .depth = value[3],
                                  .first_call = value[4],
                                  .end_call = value[5],
                                  .first_match = value[6],
                                  .end_match = value[7],
                                  .first_answer = value[8],
                                  .end_answer = value[9],
                                  .first_child = -1,
                                  .next_sibling = -1,
                                  .first_interleaving = -1};
    bool ranges = 0 <= n->first_call && n->first_call <= n->end_call && n->end_call <= w->most_rows + 1;
    if (ranges && n->parent_id < id)
        return n;
    w->asked->damaged = true; /* parents come first: so no way up is endless */
    free(n);
    return NULL;
}

/* How many nodes the way to `id` has that are not selected yet: w->way, the deepest first. -1: there is no
 * such way. */
static int64_t find_way(struct selecting *w, int64_t id)
{
    size_t n = 0;
    while (id >= 0) {
        struct sched_page_node *known;
        HASH_FIND(hh, w->s->node_by_id, &id, sizeof id, known);
        if (known)
            break;
        if (n == w->room) {
            w->room = 2 * w->room + 64;
            w->way = sched_grow(w->way, w->room, sizeof *w->way);
        }
        if (!(w->way[n] = read_node(w, id))) {
            while (n > 0)
                free(w->way[--n]);
            return -1;
        }
        id = w->way[n++]->parent_id;
    }
    return (int64_t)n;
}

static void grant_calls(struct selecting *w, struct sched_page_node *n)
{
    int64_t size = n->end_call - n->first_call, granted = size < w->calls_left ? size : w->calls_left;
    n->has_calls = granted > 0 || size == 0;
    n->first_call = n->end_call - granted;
    w->calls_left -= granted;
    w->s->left_calls += size - granted;
}

static void take(struct selecting *w, int64_t interleaving, int64_t node, bool has_finding)
{
    struct sched_page_selection *s = w->s;
    struct sched_page_interleaving *each;
    HASH_FIND(hh, s->interleaving_by_id, &interleaving, sizeof interleaving, each);
    if (each)
        return;
    if (node < 0)
        w->asked->damaged = true;
    int64_t n = node < 0 ? -1 : find_way(w, node);
    if (n < 0 || n > w->nodes_left) {
        while (n > 0)
            free(w->way[--n]);
        return;
    }
    w->nodes_left -= n;
    for (int64_t i = 0; i < n; i++) {
        grant_calls(w, w->way[i]);
        HASH_ADD(hh, s->node_by_id, id, sizeof w->way[i]->id, w->way[i]);
    }
    each = sched_alloc(1, sizeof *each);
    *each = (struct sched_page_interleaving){.id = interleaving, .node_id = node, .has_finding = has_finding};
    HASH_ADD(hh, s->interleaving_by_id, id, sizeof each->id, each);
}

static void take_with_findings(struct selecting *w, const json_t *result)
{
    size_t i;
    const json_t *f;
    json_array_foreach (json_object_get(result, "findings"), i, f) {
        int64_t node, id = sched_query_finding(w->asked, f, &node);
        if (id >= 0)
            take(w, id, node, true);
    }
}

static void take_others(struct selecting *w)
{
    sqlite3_stmt *query = sched_query(w->asked, "SELECT id, node FROM interleaving ORDER BY id");
    while (w->nodes_left > 0 && sched_query_next(w->asked, query))
        take(w, sched_query_number(query, 0, -1), sched_query_number(query, 1, -1), false);
    sqlite3_finalize(query);
}

static int by_node_id(const void *a, const void *b)
{
    const struct sched_page_node *x = *(struct sched_page_node *const *)a,
                                 *y = *(struct sched_page_node *const *)b;
    return x->id < y->id ? -1 : x->id > y->id;
}

static int by_interleaving_id(const void *a, const void *b)
{
    const struct sched_page_interleaving *x = *(struct sched_page_interleaving *const *)a,
                                         *y = *(struct sched_page_interleaving *const *)b;
    return x->id < y->id ? -1 : x->id > y->id;
}

int32_t sched_page_find_node(const struct sched_page_selection *s, int64_t id)
{
    struct sched_page_node key = {.id = id}, *p = &key;
    struct sched_page_node **found = bsearch(&p, s->nodes, (size_t)s->n_nodes, sizeof *s->nodes, by_node_id);
    return found ? (int32_t)(found - s->nodes) : -1;
}

static void link_nodes(struct sched_page_selection *s)
{
    s->nodes = sched_alloc(HASH_COUNT(s->node_by_id), sizeof *s->nodes);
    for (struct sched_page_node *n = s->node_by_id; n; n = n->hh.next)
        s->nodes[s->n_nodes++] = n;
    qsort(s->nodes, (size_t)s->n_nodes, sizeof *s->nodes, by_node_id);
    for (int32_t i = s->n_nodes - 1; i >= 0; i--) {
        struct sched_page_node *n = s->nodes[i];
        n->parent = sched_page_find_node(s, n->parent_id);
        if (n->parent < 0)
            continue;
        n->next_sibling = s->nodes[n->parent]->first_child;
        s->nodes[n->parent]->first_child = i;
    }
}

static void link_interleavings(struct sched_page_selection *s)
{
    s->interleavings = sched_alloc(HASH_COUNT(s->interleaving_by_id), sizeof *s->interleavings);
    for (struct sched_page_interleaving *each = s->interleaving_by_id; each; each = each->hh.next)
        s->interleavings[s->n_interleavings++] = each;
    qsort(s->interleavings, (size_t)s->n_interleavings, sizeof *s->interleavings, by_interleaving_id);
    for (int32_t i = s->n_interleavings - 1; i >= 0; i--) {
        struct sched_page_interleaving *each = s->interleavings[i];
        each->node = sched_page_find_node(s, each->node_id);
        each->next = s->nodes[each->node]->first_interleaving;
        s->nodes[each->node]->first_interleaving = i;
    }
}

static int64_t count(struct sched_asked *asked, const char *sql)
{
    sqlite3_stmt *query = sched_query(asked, sql);
    int64_t n = sched_query_next(asked, query) ? sched_query_number(query, 0, 0) : 0;
    sqlite3_finalize(query);
    return n;
}

void sched_page_select(struct sched_page_selection *s, struct sched_asked *asked, const json_t *result,
                       const struct sched_page_budget *budget)
{
    *s = (struct sched_page_selection){0};
    struct selecting w = {.s = s,
                          .asked = asked,
                          .nodes_left = budget->nodes,
                          .calls_left = budget->calls,
                          .most_rows = sched_query_most_rows(asked)};
    w.node = sched_query(asked, "SELECT parent, taken, buffered, depth, first_call, end_call, first_match, "
                                "end_match, first_answer, end_answer FROM node WHERE id = ?");
    take_with_findings(&w, result);
    take_others(&w);
    link_nodes(s);
    link_interleavings(s);
    s->left_interleavings = count(asked, "SELECT count(*) FROM interleaving") - s->n_interleavings;
    s->left_nodes = count(asked, "SELECT count(*) FROM node") - s->n_nodes;
    sqlite3_finalize(w.node);
    free(w.way);
}

void sched_page_selection_finish(struct sched_page_selection *s)
{
    HASH_CLEAR(hh, s->node_by_id);
    HASH_CLEAR(hh, s->interleaving_by_id);
    for (int32_t i = 0; i < s->n_nodes; i++)
        free(s->nodes[i]);
    for (int32_t i = 0; i < s->n_interleavings; i++)
        free(s->interleavings[i]);
    free(s->nodes);
    free(s->interleavings);
}

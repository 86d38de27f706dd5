/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What another process has seen of the same tree. A node that both have is the same in both, since the same
 * decisions lead to the same calls: of those only the names are translated. All other rows are copied, with
 * new ids.
 */
#include <stdlib.h>

#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "run/options.h"
#include "recorder.h"

struct merge {
    struct sched_trace *trace;
    int64_t *nodes, n; /* the other's number of a node -> ours */
    int64_t kinds;     /* to be added to its numbers of kinds */
};

static void take_site(const int64_t *row, void *context)
{
    struct sched_trace *t = ((struct merge *)context)->trace;
    char *name = sched_store_text(t->store, "SELECT name FROM other.site WHERE id = ?", row, 1);
    uint32_t ours = name ? sched_sites_named(t->sites, name) : 0;
    sched_trace_site(t, ours);
    const int64_t pair[] = {row[0], ours};
    sched_store_run(t->store, "INSERT INTO place VALUES (?, ?)", pair, 2);
    free(name);
}

static void take_kinds(struct merge *m)
{
    struct sched_trace *t = m->trace;
    m->kinds = t->next_kind - 1;
    sched_store_run(t->store,
                    "CREATE TEMP TABLE IF NOT EXISTS place (theirs INTEGER PRIMARY KEY, ours INTEGER)", NULL,
                    0);
    sched_store_run(t->store, "DELETE FROM place", NULL, 0);
    sched_store_each(t->store, "SELECT id FROM other.site", NULL, 0, take_site, m);
    sched_store_run(
        t->store,
        "INSERT INTO kind SELECT k.id + ?, k.op, k.mode, k.function, k.label, coalesce(p.ours, 0), k.thread, "
        "k.comm, k.peer, k.tag, k.root, k.bytes, k.data, k.redop, k.flags FROM other.kind k "
        "LEFT JOIN place p ON p.theirs = k.site",
        &m->kinds, 1);
    t->next_kind += sched_store_ask(t->store, "SELECT max(id) FROM other.kind", NULL, 0, 0);
}

static void take_key(const int64_t *row, void *context)
{
    struct sched_trace *t = ((struct merge *)context)->trace;
    char *named = sched_store_text(t->store, "SELECT key FROM other.shown_key WHERE id = ?", row, 1);
    const int64_t pair[] = {row[0], named ? sched_trace_shown_key(t, named) : 0};
    sched_store_run(t->store, "INSERT OR IGNORE INTO key VALUES (?, ?)", pair, 2);
    free(named);
}

static void take_keys(struct merge *m)
{
    struct sched_store *store = m->trace->store;
    sched_store_run(store, "CREATE TEMP TABLE IF NOT EXISTS key (theirs INTEGER PRIMARY KEY, ours INTEGER)",
                    NULL, 0);
    sched_store_run(store, "DELETE FROM key", NULL, 0);
    sched_store_each(store, "SELECT id FROM other.shown_key", NULL, 0, take_key, m);
}

enum { NODE, PARENT, TAKEN, BUFFERED, DEPTH, CALL, END_CALL, MATCH, END_MATCH, ANSWER, END_ANSWER, COLUMNS };

/* All of a node that we do not have: its number here. */
static int64_t copy(struct merge *m, const int64_t *row)
{
    struct sched_trace *t = m->trace;
    int64_t id = t->next_node++, call = t->next_call - row[CALL], match = t->next_match - row[MATCH],
            answer = t->next_answer - row[ANSWER];
    const int64_t node[COLUMNS] = {id,
                                   row[PARENT] < 0 ? -1 : m->nodes[row[PARENT]],
                                   row[TAKEN],
                                   row[BUFFERED],
                                   row[DEPTH],
                                   row[CALL] + call,
                                   row[END_CALL] + call,
                                   row[MATCH] + match,
                                   row[END_MATCH] + match,
                                   row[ANSWER] + answer,
                                   row[END_ANSWER] + answer};
    sched_store_numbers(t->store, SCHED_TABLE_NODE, node, COLUMNS, 1u << PARENT | 1u << TAKEN);
    const int64_t calls[] = {call, m->kinds, row[CALL], row[END_CALL]},
                  matches[] = {match, call, row[MATCH], row[END_MATCH]},
                  answers[] = {answer, row[ANSWER], row[END_ANSWER]}, others[] = {id, row[NODE]};
    sched_store_copy(t->store, SCHED_TABLE_CALL,
                     "SELECT id + ?, rank, number, kind + ?, requests FROM other.call WHERE id >= ? "
                     "AND id < ? ORDER BY id",
                     calls, 4);
    sched_store_copy(t->store, SCHED_TABLE_MATCH,
                     "SELECT id + ?, call + ?, send_rank, send, receive_rank, receive FROM other.match"
                     " WHERE id >= ? AND id < ? ORDER BY id",
                     matches, 4);
    sched_store_copy(t->store, SCHED_TABLE_MEMBER,
                     "SELECT match + ?1, rank, number FROM other.member WHERE match >= ?3 AND match < ?4"
                     " ORDER BY match, rowid",
                     matches, 4);
    sched_store_run(t->store,
                    "INSERT INTO answer SELECT id + ?, rank, number, flag, positions, source, tag, bytes "
                    "FROM other.answer WHERE id >= ? AND id < ?",
                    answers, 3);
    sched_store_run(
        t->store,
        "INSERT INTO communicator SELECT ?, comm, members, first_side FROM other.communicator WHERE node = ?",
        others, 2);
    sched_store_run(
        t->store, "INSERT INTO choice SELECT ?, rank, number, alternatives FROM other.choice WHERE node = ?",
        others, 2);
    sched_store_run(t->store,
                    "INSERT INTO alternative SELECT ?, taken, what, rank, number, positions "
                    "FROM other.alternative WHERE node = ?",
                    others, 2);
    t->next_call += row[END_CALL] - row[CALL];
    t->next_match += row[END_MATCH] - row[MATCH];
    t->next_answer += row[END_ANSWER] - row[ANSWER];
    return id;
}

/* Parents come before their children. */
static void take_node(const int64_t *row, void *context)
{
    struct merge *m = context;
    if (row[NODE] < 0 || row[PARENT] >= row[NODE])
        return; /* damaged */
    int64_t ours = row[PARENT] < 0 ? sched_trace_root(m->trace, row[BUFFERED])
                                   : sched_trace_child(m->trace, m->nodes[row[PARENT]], (unsigned)row[TAKEN]);
    m->nodes[row[NODE]] = ours >= 0 ? ours : copy(m, row);
}

/* there: the interleaving's id, its node, and its id in the other one. */
static void take_join(struct merge *m, const int64_t *there)
{
    struct sched_trace *t = m->trace;
    int64_t node =
        sched_store_ask(t->store, "SELECT node FROM other.joined WHERE interleaving = ?", &there[2], 1, -1);
    if (node < 0 || node > m->n)
        return;
    const int64_t join[] = {there[0], m->nodes[node], there[2]};
    sched_store_run(
        t->store, "INSERT INTO joined SELECT ?, ?, name, stands_for FROM other.joined WHERE interleaving = ?",
        join, 3);
}

static void take_interleaving(const int64_t *row, void *context)
{
    struct merge *m = context;
    struct sched_trace *t = m->trace;
    if (row[1] < 0 || row[1] > m->n)
        return;
    const int64_t there[] = {t->next_interleaving, m->nodes[row[1]], row[0]};
    if (sched_store_ask(t->store, "SELECT count(*) FROM interleaving WHERE node = ?", &m->nodes[row[1]], 1,
                        0))
        return; /* whoever had this job has died, and another one has done it again */
    sched_store_run(
        t->store,
        "INSERT INTO interleaving SELECT ?, name, buffered, ?, ending FROM other.interleaving WHERE id = ?",
        there, 3);
    sched_store_run(t->store,
                    "INSERT INTO waiting SELECT ?1, rank, thread, number, finished, polling, needs, ranks, "
                    "pending FROM other.waiting WHERE interleaving = ?3",
                    there, 3);
    take_join(m, there);
    sched_store_run(t->store,
                    "INSERT INTO shown SELECT ?, k.ours FROM other.shown s JOIN key k ON k.theirs = s.key "
                    "WHERE s.interleaving = ?",
                    (const int64_t[]){there[0], there[2]}, 2);
    t->next_interleaving++;
}

bool sched_trace_merge(struct sched_trace *t, const char *file)
{
    struct merge m = {.trace = t};
    if (!sched_store_attach(t->store, file))
        return false;
    m.n = sched_store_ask(t->store, "SELECT max(id) FROM other.node", NULL, 0, 0);
    if (m.n != sched_store_ask(t->store, "SELECT count(*) FROM other.node WHERE id > 0", NULL, 0, 0)) {
        sched_store_detach(t->store);
        return false;
    }
    m.nodes = sched_alloc((size_t)m.n + 1, sizeof *m.nodes);
    take_kinds(&m);
    take_keys(&m);
    sched_store_each(t->store, "SELECT * FROM other.node ORDER BY id", NULL, 0, take_node, &m);
    sched_store_each(t->store, "SELECT id, node FROM other.interleaving ORDER BY id", NULL, 0,
                     take_interleaving, &m);
    free(m.nodes);
    sched_store_detach(t->store);
    return true;
}

/* Whether the attached trace is of this program with these arguments. */
static bool is_of(struct sched_trace *t, const struct sched_options *o)
{
    char *text = sched_store_text(t->store, "SELECT value FROM other.meta WHERE key = 'result'", NULL, 0);
    json_t *result = text ? json_loads(text, 0, NULL) : NULL;
    const json_t *command = json_object_get(result, "command");
    size_t n = 0;
    bool same = json_integer_value(json_object_get(result, "ranks")) == o->ranks;
    for (; o->command[n]; n++) {
        const char *word = json_string_value(json_array_get(command, n));
        same = same && word && strcmp(word, o->command[n]) == 0;
    }
    same = same && json_array_size(command) == n;
    json_decref(result);
    free(text);
    return same;
}

void sched_trace_go_on(struct sched_trace *t, const struct sched_options *o)
{
    bool same = o->trace && access(o->trace, R_OK) == 0 && sched_store_attach(t->store, o->trace);
    if (same) {
        same = is_of(t, o);
        sched_store_detach(t->store);
    }
    if (!same || !sched_trace_merge(t, o->trace))
        sched_trace_lack(t, "it has only what was explored since --resume: there was no trace of what was "
                            "before in its place");
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tables hold the tree of choices once: a node is what the ranks did between two decisions, its rows have
 * consecutive ids, and an interleaving is the path to one node. So ten thousand interleavings that share most
 * of what they do take the space of their differences. The views put that together again, for people: they
 * are what docs/trace.md promises.
 */
#include "schema.h"

const char *const sched_trace_tables[SCHED_TABLES] = {
    [SCHED_TABLE_META] = "meta",
    [SCHED_TABLE_SITE] = "site",
    [SCHED_TABLE_KIND] = "kind",
    [SCHED_TABLE_CALL] = "call",
    [SCHED_TABLE_MATCH] = "match",
    [SCHED_TABLE_MEMBER] = "member",
    [SCHED_TABLE_ANSWER] = "answer",
    [SCHED_TABLE_COMMUNICATOR] = "communicator",
    [SCHED_TABLE_NODE] = "node",
    [SCHED_TABLE_CHOICE] = "choice",
    [SCHED_TABLE_ALTERNATIVE] = "alternative",
    [SCHED_TABLE_INTERLEAVING] = "interleaving",
    [SCHED_TABLE_WAITING] = "waiting",
    [SCHED_TABLE_PRINTED] = "printed",
    [SCHED_TABLE_FINDING] = "finding",
    [SCHED_TABLE_FINDING_RANK] = "finding_rank",
    [SCHED_TABLE_FINDING_SITE] = "finding_site",
    [SCHED_TABLE_JOINED] = "joined",
    [SCHED_TABLE_SHOWN] = "shown",
    [SCHED_TABLE_SHOWN_KEY] = "shown_key",
};

const char sched_trace_schema[] =
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
    "CREATE TABLE site (id INTEGER PRIMARY KEY, name TEXT, file TEXT, line INTEGER, function TEXT, "
    "module TEXT, offset INTEGER);"
    "CREATE TABLE kind (id INTEGER PRIMARY KEY, op TEXT, mode TEXT, function TEXT, label TEXT, site INTEGER, "
    "thread INTEGER, comm INTEGER, peer INTEGER, tag INTEGER, root INTEGER, bytes INTEGER, data TEXT, "
    "redop INTEGER, flags INTEGER);"
    "CREATE TABLE call (id INTEGER PRIMARY KEY, rank INTEGER, number INTEGER, kind INTEGER, requests TEXT);"
    "CREATE TABLE match (id INTEGER PRIMARY KEY, call INTEGER, send_rank INTEGER, send INTEGER, "
    "receive_rank INTEGER, receive INTEGER);"
    "CREATE TABLE member (match INTEGER, rank INTEGER, number INTEGER);"
    "CREATE TABLE answer (id INTEGER PRIMARY KEY, rank INTEGER, number INTEGER, flag INTEGER, "
    "positions TEXT, source INTEGER, tag INTEGER, bytes INTEGER);"
    "CREATE TABLE communicator (node INTEGER, comm INTEGER, members TEXT, first_side INTEGER);"
    "CREATE TABLE node (id INTEGER PRIMARY KEY, parent INTEGER, taken INTEGER, buffered INTEGER, "
    "depth INTEGER, first_call INTEGER, end_call INTEGER, first_match INTEGER, end_match INTEGER, "
    "first_answer INTEGER, end_answer INTEGER);"
    "CREATE INDEX node_parent ON node (parent, taken);"
    "CREATE TABLE choice (node INTEGER PRIMARY KEY, rank INTEGER, number INTEGER, alternatives INTEGER);"
    "CREATE TABLE alternative (node INTEGER, taken INTEGER, what TEXT, rank INTEGER, number INTEGER, "
    "positions TEXT);"
    "CREATE TABLE interleaving (id INTEGER PRIMARY KEY, name TEXT, buffered INTEGER, node INTEGER, "
    "ending TEXT);"
    "CREATE INDEX interleaving_node ON interleaving (node);"
    "CREATE TABLE waiting (interleaving INTEGER, rank INTEGER, thread INTEGER, number INTEGER, "
    "finished INTEGER, polling INTEGER, needs TEXT, ranks TEXT, pending TEXT);"
    "CREATE TABLE printed (interleaving INTEGER PRIMARY KEY, text TEXT);"
    "CREATE TABLE finding (id INTEGER PRIMARY KEY, rule TEXT, severity TEXT, message TEXT, story TEXT, "
    "interleaving TEXT, buffered INTEGER, count INTEGER, replay TEXT);"
    "CREATE TABLE finding_rank (finding INTEGER, rank INTEGER);"
    "CREATE TABLE finding_site (finding INTEGER, position INTEGER, rank INTEGER, call TEXT, file TEXT, "
    "line INTEGER, function TEXT, stack TEXT);"
    "CREATE TABLE joined (interleaving INTEGER PRIMARY KEY, node INTEGER, name TEXT, stands_for INTEGER);"
    /* A key is what one process knew a finding by; in the end it is known which one that is, if any. */
    "CREATE TABLE shown (interleaving INTEGER, key INTEGER);"
    "CREATE TABLE shown_key (id INTEGER PRIMARY KEY, key TEXT, finding INTEGER);";

const char sched_trace_views[] =
    "CREATE INDEX member_match ON member (match);"
    "CREATE INDEX alternative_node ON alternative (node, taken);"
    "CREATE INDEX interleaving_name ON interleaving (name, buffered);"
    "CREATE INDEX shown_interleaving ON shown (interleaving);"
    "CREATE INDEX waiting_interleaving ON waiting (interleaving);"
    /* Which nodes an interleaving consists of. */
    "CREATE VIEW path (interleaving, node, depth) AS"
    " WITH RECURSIVE up (interleaving, node) AS"
    " (SELECT id, node FROM interleaving UNION ALL SELECT up.interleaving, node.parent FROM up "
    "JOIN node ON node.id = up.node  WHERE node.parent IS NOT NULL) "
    "SELECT up.interleaving, up.node, node.depth FROM up JOIN node ON node.id = up.node;"
    "CREATE VIEW calls AS SELECT i.name AS interleaving, i.buffered, c.id AS position, c.rank, k.thread, "
    "c.number, k.function AS call, k.label, s.file, s.line, s.function, k.op, k.mode, k.comm, k.peer, k.tag, "
    "k.root, k.bytes, k.data, c.requests FROM interleaving i JOIN path p ON p.interleaving = i.id "
    "JOIN node n ON n.id = p.node JOIN call c ON c.id >= n.first_call AND c.id < n.end_call "
    "JOIN kind k ON k.id = c.kind LEFT JOIN site s ON s.id = k.site;"
    "CREATE VIEW messages AS SELECT i.name AS interleaving, i.buffered, m.id AS position, m.send_rank, "
    "m.send, m.receive_rank, m.receive FROM interleaving i JOIN path p ON p.interleaving = i.id "
    "JOIN node n ON n.id = p.node JOIN match m ON m.id >= n.first_match AND m.id < n.end_match "
    "WHERE m.send IS NOT NULL;"
    "CREATE VIEW collectives AS SELECT i.name AS interleaving, i.buffered, m.id AS position, e.rank, e.number"
    " FROM interleaving i JOIN path p ON p.interleaving = i.id JOIN node n ON n.id = p.node"
    " JOIN match m ON m.id >= n.first_match AND m.id < n.end_match JOIN member e ON e.match = m.id;"
    /* Runs that are merged: from their ends on all is as in the interleaving `joins` from the choice point on
     * that ends its node. */
    "CREATE VIEW joins AS SELECT i.name AS interleaving, i.buffered, e.depth AS decisions, j.name AS joins, "
    "n.depth AS decision, j.node, j.stands_for FROM joined j JOIN interleaving i ON i.id = j.interleaving "
    "JOIN node e ON e.id = i.node JOIN node n ON n.id = j.node;"
    /* Each choice point once, however many interleavings go through it. */
    "CREATE VIEW choices AS SELECT h.node, n.buffered, n.depth AS decision, h.rank, h.number, "
    "h.alternatives, k.function AS call, k.label, s.file, s.line, s.function FROM choice h "
    "JOIN node n ON n.id = h.node LEFT JOIN call c ON c.id =  (WITH RECURSIVE up (id, first_call, end_call, "
    "parent) AS (SELECT id, first_call, end_call, parent FROM node WHERE id = h.node UNION ALL   "
    "SELECT o.id, o.first_call, o.end_call, o.parent FROM up JOIN node o ON o.id = up.parent)   SELECT c.id "
    "FROM up JOIN call c ON c.id >= up.first_call AND c.id < up.end_call WHERE c.rank = h.rank "
    "AND c.number = h.number LIMIT 1) LEFT JOIN kind k ON k.id = c.kind LEFT JOIN site s ON s.id = k.site;"
    "CREATE VIEW findings AS SELECT f.id, f.rule, f.severity, f.message, f.interleaving, f.buffered, "
    "f.count, s.file, s.line, s.function, s.call, f.replay FROM finding f "
    "LEFT JOIN finding_site s ON s.finding = f.id AND s.position = 0;"
    "CREATE VIEW shows AS SELECT DISTINCT i.name AS interleaving, i.buffered, k.finding FROM shown s "
    "JOIN shown_key k ON k.id = s.key JOIN interleaving i ON i.id = s.interleaving "
    "WHERE k.finding IS NOT NULL;";

# SPDX-License-Identifier: BSD-3-Clause
"""Which messages met in each interleaving, as the trace says: what joins the histories of the ranks.

A thread's calls are found again by their order: the k-th send, receive or probe in the trace is the k-th of
its tokens that makes one. The size of each send says which token it is, so that a mistake in this would show.
"""

import collections
import sqlite3

import scenario_file as sf

OPS = {"send", "receive", "probe"}
INT_BYTES = 4
THREAD_SHIFT = 40  # of the thread in the number of a call (poe/poe.h)
ROOM = 36  # integers, times the scale: how much each receive has room for (player.h)


class Wrong(Exception):
    pass


def events(token):
    """The ops that a token makes in the trace."""
    if token.is_to_null():
        return []
    if token.kind in sf.EXCHANGE:
        return ["send", "receive"]
    if token.kind in sf.SENDS:
        return ["send"]
    if token.kind in sf.PROBES:
        return ["probe"]
    if token.kind in sf.RECVS:
        return ["probe", "receive"] if token.way == "mprobe" else ["receive"]
    return ["receive"] if token.kind in sf.MRECVS else []


def is_part(scenario, op, call, size):
    """A partitioned message is one of its whole size, and one more for each part."""
    if op == "send":
        return call.startswith("MPI_Pready")
    return op == "receive" and size != ROOM * scenario.scale * INT_BYTES


def places(line, calls):
    """The token of each of a rank's calls. calls: (number, op, bytes, requests) in order."""
    found, probes, calls = {}, {}, list(calls)
    for place, token in enumerate(line):
        if token.kind in sf.MRECVS:  # skipped if the probe said not yet
            probe = probes.get(token.args[0])
            if not calls or probe is None or calls[0][1] != "receive" or calls[0][3] != str(probe):
                continue
        for op in events(token):
            if not calls:
                return found
            number, got, _, _ = calls.pop(0)
            if got != op:
                raise Wrong(f"call {number} is a {got}, token {token} makes a {op}")
            found[number] = place
            if token.kind in sf.MESSAGE:
                probes[token.name] = number
    if calls:
        raise Wrong(f"more calls than tokens: {calls}")
    return found


def line_of(scenario, rank, number):
    """Of the thread that has made call `number` of the rank."""
    return [k for k in range(len(scenario.lines)) if scenario.rank_of(k) == rank][number >> THREAD_SHIFT]


def check_sizes(scenario, line, calls, found):
    before = sum(len(scenario.lines[k]) for k in range(line) if scenario.rank_of(k) == scenario.rank_of(line))
    for number, op, size, _ in calls:
        token = scenario.lines[line][found[number]]
        own = token.kind != "psend" and token.way != "replace" and not token.way.startswith(sf.AGAIN)
        if op == "send" and own and size != (before + found[number] + 1) * scenario.scale * INT_BYTES:
            raise Wrong(
                f"line {scenario.label(line)}: {size} bytes in call {number}, which should be {token}"
            )


def outcomes(scenario, file):
    """How often each set of items was traced: Counter of (frozenset of items, the end)."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    endings = dict(database.execute("SELECT name, ending FROM interleaving WHERE ending != 'redundant'"))
    stuck = collections.defaultdict(set)
    for name, rank in database.execute(
        "SELECT name, rank FROM waiting JOIN interleaving ON id = interleaving WHERE NOT finished"
    ):
        stuck[name].add(rank)
    calls, messages = collections.defaultdict(list), collections.defaultdict(list)
    for name, rank, number, op, call, size, requests, peer in database.execute(
        "SELECT interleaving, rank, number, op, call, bytes, requests, peer FROM calls"
        " ORDER BY rank, number"
    ):
        if op in OPS and peer != sf.NULL and not is_part(scenario, op, call, size):
            calls[name, line_of(scenario, rank, number)].append((number, op, size, requests))
    for name, source, send, dest, receive in database.execute(
        "SELECT interleaving, send_rank, send, receive_rank, receive FROM messages"
    ):
        messages[name].append(
            (line_of(scenario, source, send), send, line_of(scenario, dest, receive), receive)
        )
    database.close()
    found = collections.Counter()
    for name, ending in endings.items():
        tokens = {}
        for k, line in enumerate(scenario.lines):
            tokens[k] = places(line, calls[name, k])
            check_sizes(scenario, k, calls[name, k], tokens[k])
        ops = {(k, number): op for k in tokens for number, op, _, _ in calls[name, k]}
        items = set()
        for source, send, dest, number in messages[name]:
            if number not in tokens[dest]:
                continue  # a part
            token = scenario.lines[dest][tokens[dest][number]]
            if ops[dest, number] == "probe" and token.kind not in sf.PROBES:
                continue  # of a receive that is played by a probe
            sign = "?" if token.kind in sf.PROBES else "<"
            there = f"{scenario.label(source)}.{tokens[source][send]}"
            items.add(f"{scenario.label(dest)}.{tokens[dest][number]}{sign}{there}")
        end = {"finished": "ok", "deadlock": "deadlock:" + ",".join(map(str, sorted(stuck[name])))}.get(
            ending, ending
        )
        found[frozenset(items), end] += 1
    return found

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reads the log of --isp-log, from its description in docs/isp-log.md, and checks what that promises.

usage: isp_log.py LOG [FOLDER]      FOLDER: where the program was run, for names of files
"""

import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

SENDS = {"Send", "Ssend", "Rsend", "Bsend", "Isend", "Issend", "Irsend", "Ibsend"}
RECEIVES = {"Recv", "Irecv"}
PROBES = {"Probe", "Iprobe"}
COMPLETIONS = {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"}


class BadLog(Exception):
    pass


@dataclass
class Transition:
    interleaving: int
    rank: int
    index: int
    order: int
    function: str
    arguments: list
    successors: list
    others: list
    match: tuple
    file: str
    line: int


@dataclass
class Log:
    processes: int
    interleavings: dict = field(default_factory=dict)  # number: {(rank, index): transition}
    deadlocks: set = field(default_factory=set)


def need(condition, what):
    if not condition:
        raise BadLog(what)


def read_line(text):
    """One transition."""
    head, at, tail = text.partition(b" File: ")
    need(at, "no File:")
    length, _, rest = tail.partition(b" ")
    size = int(length)
    name, rest = rest[:size], rest[size:]
    need(len(name) == size and rest[:1] == b" ", "the length of the file's name is wrong")
    words = head.decode().split()
    need("Match:" in words, "no Match:")
    at = words.index("Match:")
    match = tuple(map(int, words[at + 1 :]))
    need(len(match) == 2, "a match is a rank and an index")
    braces = [i for i, word in enumerate(words[:at]) if word in "{}"]
    need(
        len(braces) == 4
        and [words[i] for i in braces] == ["{", "}", "{", "}"]
        and braces[3] == at - 1
        and braces[2] == braces[1] + 1,
        "two sets in braces",
    )
    return Transition(
        *map(int, words[:4]),
        words[4],
        words[5 : braces[0]],
        [int(w) for w in words[braces[0] + 1 : braces[1]]],
        words[braces[2] + 1 : braces[3]],
        match,
        name.decode(),
        int(rest),
    )


def read(data):
    lines = data.split(b"\n")
    need(lines.pop() == b"", "the last line has no end")
    log, last = Log(int(lines[0])), 0
    for number, text in enumerate(lines[1:], 2):
        try:
            words = text.split()
            if len(words) == 2 and words[1] == b"DEADLOCK":
                need(
                    int(words[0]) in log.interleavings and int(words[0]) == last,
                    "a deadlock of no interleaving",
                )
                log.deadlocks.add(last)
                continue
            t = read_line(text)
            need(
                t.interleaving in (last, last + 1) and last not in log.deadlocks - {t.interleaving - 1},
                "interleavings out of order",
            )
            last = t.interleaving
            transitions = log.interleavings.setdefault(last, {})
            need((t.rank, t.index) not in transitions, "two transitions with the same rank and index")
            transitions[t.rank, t.index] = t
        except (BadLog, ValueError, IndexError) as error:
            raise BadLog(f"line {number}: {error}: {text.decode(errors='replace')}") from None
    return log


def check_match(transitions, t):
    if t.match == (-1, -1):
        return
    need(t.function in SENDS | RECEIVES | PROBES, f"{t} can match nothing")
    other = transitions.get(t.match)
    need(other, f"{t} matches nothing that is there")
    need((t.function in SENDS) != (other.function in SENDS), f"{t} matches {other}")
    need(
        t.function in PROBES or other.match == (t.rank, t.index),
        f"{t} matches {other}, and not the other way round",
    )
    send, receive = (t, other) if t.function in SENDS else (other, t)
    destination, sent_tag, comm = map(int, send.arguments)
    source, tag, receive_comm = map(int, receive.arguments)
    need(
        destination == receive.rank
        and source in (send.rank, -1)
        and tag in (sent_tag, -1)
        and comm == receive_comm,
        f"{send} does not fit {receive}",
    )


def check_order(transitions):
    orders = sorted(t.order for t in transitions.values() if t.order >= 0)
    need(orders == list(range(1, len(orders) + 1)), f"orders are not 1, 2, ...: {orders}")
    for t in transitions.values():
        for index in t.successors:
            after = transitions.get((t.rank, index))
            need(after and index > t.index, f"{t} completes before nothing that is there")
        if t.function in COMPLETIONS or t.function in ("Cancel", "Request_free"):
            count, *operations = map(int, t.arguments)
            need(count == len(operations), f"{t}: {count} operations")
            need(
                all(i == -1 or ((t.rank, i) in transitions and i < t.index) for i in operations),
                f"{t} waits for what is not there",
            )
        if t.function in SENDS | RECEIVES and t.match != (-1, -1):
            need(t.order > 0, f"{t} matched and did not take place")


def check(log, folder):
    """Whatever docs/isp-log.md promises."""
    for number, transitions in log.interleavings.items():
        ranks, places = defaultdict(list), list(transitions)
        for rank, index in places:
            ranks[rank].append(index)
        need(all(0 <= rank < log.processes for rank in ranks), f"interleaving {number}: ranks {list(ranks)}")
        need(
            all(indices == list(range(len(indices))) for indices in ranks.values()),
            f"interleaving {number}: indices",
        )
        check_order(transitions)
        for t in transitions.values():
            check_match(transitions, t)
            need(not t.others, f"{t}: the second set")
            need(t.file == "?" or (Path(folder) / t.file).is_file(), f"{t}: no such file")
        if number in log.deadlocks:
            need(
                any(t.order < 0 for t in transitions.values()),
                f"interleaving {number}: a deadlock in which all went on",
            )


def main():
    log = read(Path(sys.argv[1]).read_bytes())
    check(log, sys.argv[2] if len(sys.argv) > 2 else ".")
    print(
        f"{log.processes} processes, {len(log.interleavings)} interleavings, {len(log.deadlocks)} deadlocks,"
        f" {sum(map(len, log.interleavings.values()))} transitions"
    )


if __name__ == "__main__":
    main()

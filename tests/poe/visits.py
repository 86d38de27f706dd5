# SPDX-License-Identifier: BSD-3-Clause
"""Visits: locks of windows with what is done below them, single atomic accesses, turns with a file. Which
came first shows in an outcome where it can be told apart:

    1.2^0.0,2.1     the visit that begins with token 2 of rank 1 came after those of rank 0 and rank 2, and
                    does not commute with them
    1.2~0.0         ... and it commutes, but one of the two waited for something while it kept the other one
                    out
    1.2^-           it was never granted

Two accesses commute if they are to different places, if both only read, or if both are plain updates. A `cas`
that comes after another one of that place changes nothing.
"""

import re

READS, UPDATES, WRITES, FETCHES = range(4)
USES = {
    "get": READS,
    "put": WRITES,
    "acc": UPDATES,  # below a lock, to its target
    "look": READS,
    "add": UPDATES,
    "set": WRITES,
    "fetch": FETCHES,
    "cas": FETCHES,
}  # atomic ones
ACCESSES, ATOMICS = {"get", "put", "acc"}, {"look", "add", "set", "fetch", "cas"}
KEEPING = {"lock", "lockshared"}
VISITS = KEEPING | ATOMICS | {"turn"}
RAW = re.compile(r"visits:(\S*) ?")


def may_meet(a, b):
    """Can the one keep the other out, or may they use one place? (By tokens.)"""
    if a.kind in KEEPING and b.kind in KEEPING:
        return a.peer == b.peer and "lock" in (a.kind, b.kind)
    return (a.kind in ATOMICS and b.kind in ATOMICS) or a.kind == b.kind == "turn"


def pieces(line, k):
    """(target, place, use) of all that the visit of token k does."""
    token = line[k]
    if token.kind in ATOMICS:
        return [(token.peer, token.tag, USES[token.kind])]
    found = []
    for other in line[k + 1 :] if token.kind in KEEPING else []:
        if other.kind == "unlock" and other.peer == token.peer:
            break
        if other.kind in USES and other.peer == token.peer:
            found.append((other.peer, other.tag, USES[other.kind]))
    return found


def commute(a, b):
    return a[:2] != b[:2] or a[2] == b[2] == READS or a[2] == b[2] == UPDATES


def sign(lines, v, w, waited, unchanged):
    """How it shows that v came before w: "^", "~", or "" if it does not. v, w: (rank, token)."""
    first, second = lines[v[0]][v[1]], lines[w[0]][w[1]]
    if v[0] == w[0] or not may_meet(first, second):
        return ""
    if first.kind == "turn":
        return "^"
    these, those = (
        [(t, p, READS if x in unchanged else u) for t, p, u in pieces(lines[x[0]], x[1])] for x in (v, w)
    )
    if not all(commute(a, b) for a in these for b in those):
        return "^"
    return "~" if first.kind in KEEPING and (v in waited or w in waited) else ""


def items(lines, earlier, waited, unchanged, wanted):
    """The items of an outcome. earlier: visit -> those that came before it. wanted: those that were never
    granted."""
    found = [f"{rank}.{k}^-" for rank, k in sorted(wanted)]
    for visit in sorted(earlier):
        by_sign = {"^": [], "~": []}
        for other in sorted(earlier[visit]):
            how = sign(lines, other, visit, waited, unchanged)
            if how:
                by_sign[how].append(f"{other[0]}.{other[1]}")
        found += [
            f"{visit[0]}.{visit[1]}{how}{','.join(places)}" for how, places in by_sign.items() if places
        ]
    return found


def canonical(lines, outcome):
    """What poe-scenario prints (visits:0.1,1.2w,0.3!,2.1-, in order; w: waited, !: unchanged, -: never
    granted) with these items in its place."""
    raw = RAW.search(outcome)
    if not raw:
        return outcome
    order, waited, unchanged, wanted = [], set(), set(), set()
    for word in raw[1].split(",") if raw[1] else []:
        rank, token = re.match(r"(\d+)\.(\d+)", word).groups()
        if "-" in word:
            wanted.add((int(rank), int(token)))
            continue
        order.append((int(rank), int(token)))
        waited |= {order[-1]} if "w" in word else set()
        unchanged |= {order[-1]} if "!" in word else set()
    earlier = {visit: order[:k] for k, visit in enumerate(order)}
    found = items(lines, earlier, waited, unchanged, wanted)
    return outcome.replace(raw[0], "".join(item + " " for item in found))


def without_waits(outcome):
    """Without what depends on whether a send waits."""
    return " ".join(word for word in outcome.split() if "~" not in word)

# SPDX-License-Identifier: BSD-3-Clause
"""A random scenario of tests/poe as player.c can play it, without what MPI calls an error by itself."""

import random_visits
import scenario_file as sf
import visits

# Concurrent atomic accesses to one place have one operation, or MPI_NO_OP (MPI-4.0, 12.7.1, accumulate_ops).
FAMILIES = {"fetch": "fetch", "add": "fetch", "cas": "cas", "set": "set"}


MOST = 12  # tokens of a rank (windows.c)


def with_plain_epochs(line):
    """Below a lock there is no detach, which waits in a scenario also if nothing is buffered, and sends are
    plain: as requests they have a wait, which keeps others out also if the send is buffered."""
    held = 0
    for token in line:
        held += (token.kind in visits.KEEPING) - (token.kind == "unlock")
        if held and token.kind in sf.SENDS - sf.REQUEST:
            token.way = ""
        if token.kind != "detach" or not held:
            yield token


def with_own_loads(rank, line):
    """isp sees no loads: who locks its own memory may have read all of it (ISP_ACCESS_UNSEEN), so it does."""
    for token in line:
        yield token
        if token.kind in visits.KEEPING and token.peer == rank:
            yield from (sf.Token("get", rank, place) for place in range(random_visits.PLACES))


def make(scenario):
    """There are no turns with a file; who shares a lock only reads below it; what would be another operation
    only looks; half of an exchange cannot be cancelled."""
    family = {}
    for rank, line in enumerate(scenario.lines):
        line[:] = with_own_loads(rank, list(with_plain_epochs(t for t in line if t.kind != "turn")))
        if len(line) > MOST:
            line[:] = [t for t in line if t.kind not in visits.VISITS | visits.ACCESSES | {"unlock"}]
        shared, cancelled = set(), {name for t in line if t.kind == "cancel" for name in t.args}
        for token in line:
            if token.way == "half" and token.name in cancelled:
                token.way = ""
            if token.kind in visits.KEEPING:
                (shared.add if token.kind == "lockshared" else shared.discard)(token.peer)
            elif token.kind in visits.ACCESSES and token.peer in shared:
                token.kind = "get"
            elif token.kind in FAMILIES:
                own = FAMILIES[token.kind]
                if family.setdefault((token.peer, token.tag), own) != own:
                    token.kind = "look"
    sf.check(scenario)
    return scenario


def needs_mpi4(scenario):
    """What MPI 3.1 has no other call for."""
    return any(t.kind in sf.PARTITIONED | {"isendrecv"} for line in scenario.lines for t in line)


def without_mpi4(scenario):
    """By calls of MPI 3.1, where it has them."""
    for token in (token for line in scenario.lines for token in line):
        if token.kind in {"isend", "irecv"} and token.way == "half":
            token.way = ""
        if token.kind in sf.COLLECTIVES and token.way == "init":
            token.way = ""
    sf.check(scenario)
    return scenario


def has_windows(scenario):
    return any(t.kind in visits.VISITS for line in scenario.lines for t in line)


def keeps_locks(scenario):
    """Some lock is never given back."""
    return any(
        sum(t.kind in visits.KEEPING for t in line) > sum(t.kind == "unlock" for t in line)
        for line in scenario.lines
    )


def expected_rules(scenario):
    """What the player does wrong with windows: it never frees them."""
    leaks = {"leak-window"} if has_windows(scenario) else set()
    return leaks | ({"rma-epoch"} if keeps_locks(scenario) else set())

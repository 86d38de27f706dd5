# SPDX-License-Identifier: BSD-3-Clause
"""What the reference expects of a program, and what the files of its ranks show: both as outcomes of
tests/poe.

What a world that deadlocks cannot show: a nonblocking receive that no call has completed for the program may
have its message or not (the world is ended in between), and the files do not say. So *in outcomes that
deadlock*, on both sides, its item is left out (Observer, World.outcome). In exchange both sides say in which
token each rank is stuck. Nothing else is lost: different outcomes may look alike now, so how often each is
seen is compared too. Worlds that end well show everything: receives that were never waited for are read after
MPI_Finalize.
"""

import os
import re

import reference
import reference_mixed
import reference_threads
import scenario_file as sf
import values

ORDER = re.compile(r"[~^]")  # which visit came first: the files show what was read
PENDING = {"irecv", "imrecv", "precv"}  # receives that do not block, parts of an exchange among them


def place_of(item):
    return tuple(map(int, re.match(r"(\d+)\.(\d+)", item).groups()))


class Observer:
    """With a reference: an outcome is (in full, as the files of a world can show it)."""

    def token_at(self, rank, at):
        """The token that it is in: some have several parts."""
        return self.lines[rank][at].place if at < len(self.lines[rank]) else at

    def might_take(self, op, send):
        """A receive by MPI_Mprobe takes what that has found, and the rank knows which message that is."""
        return super().might_take(op, send) and op.token.way != "mprobe"

    def shown(self, at, result):
        """The nonblocking receives that a call has completed for the program: what completed() in player.c
        is called for. After a free the request is null, and nothing that names it tells anything; what was
        cancelled is waited for before."""
        shown, ended, cancelled = set(), set(), set()
        for rank, line in enumerate(self.lines):
            for op in line[: at[rank]]:
                got, left = result[op.number], [a for a in op.args if a not in ended]
                taken = []
                if op.kind in ("wait", "waitall"):
                    taken = left
                elif op.kind == "cancel":
                    cancelled.update(left)
                elif op.kind == "free":
                    taken = [a for a in left if a in cancelled]
                    ended.update(left)
                elif op.kind in sf.ONE | sf.LISTS and got not in (None, reference.NOT_YET):
                    taken = [op.args[p] for p in got]
                ended.update(taken)
                shown.update(taken, *(self.ops[a].parts for a in taken))
        return shown

    def outcome(self, state):
        at, result, _ = state
        read = values.items(self, at, result)
        *items, end = super().outcome(state).split()
        full = " ".join(items + read + [end])
        items = [i for i in items if not ORDER.search(i)]
        if read:
            items = sorted(items + read, key=place_of)
        stuck = [
            f"{self.label(r)}@{self.token_at(r, at[r])}"
            for r, line in enumerate(self.lines)
            if at[r] < len(line)
        ]
        if not stuck:
            return full, " ".join(items + [end])
        shown = self.shown(at, result)
        hidden = {self.place(op) for op in self.ops if op.kind in PENDING and op.number not in shown}
        items = [i for i in items if re.match(r"[\d./]+", i)[0] not in hidden]
        return full, " ".join(items + ["deadlock:" + ",".join(stuck)])


class OneThread(Observer, reference.Explorer):
    pass


class Threads(Observer, reference_threads.Explorer):
    pass


def wanted(scenario, infinite, limit):
    return (Threads if scenario.threads else OneThread)(scenario, infinite, limit=limit).outcomes()


class Mixed(Observer, reference_mixed.Explorer):
    """Its deadlocks, as the files can show them."""

    def __init__(self, scenario, limit):
        super().__init__(scenario, limit)
        self.shown_as = {}  # outcome -> how the files can show it: where each rank is stuck is only there

    def outcome(self, state):
        full, shown = super().outcome(state)
        self.shown_as.setdefault(full, set()).add(shown)
        return full

    def deadlocks(self):
        return {shown for full in super().deadlocks() for shown in self.shown_as[full]}


# ---- what the files say ----


def tokens(scenario, rank):
    """The player numbers the tokens of a rank's threads on: the (line, token) of each."""
    return [
        (k, t)
        for k, line in enumerate(scenario.lines)
        if scenario.rank_of(k) == rank
        for t in range(len(line))
    ]


class World:
    """What the files of one world say."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.items = {}  # (rank, token) -> item
        self.tokens = [tokens(scenario, rank) for rank in range(scenario.ranks)]
        self.reached = [0] * len(scenario.lines)
        self.end = [False] * len(scenario.lines)
        self.done = [False] * scenario.ranks
        self.wrong = []

    def label(self, place):
        """Of the token of which the rank says 0.5, as the reference has it: 0.5, or 0/1.2."""
        rank, token = map(int, place[0].split("."))
        line, token = self.tokens[rank][token]
        return f"{self.scenario.label(line)}.{token}"

    def read(self, rank, history):
        own = [k for k in range(len(self.end)) if self.scenario.rank_of(k) == rank]
        for line in history:
            place, end = re.match(rf"{rank}\.(\d+)(?![\d.])", line), re.fullmatch(r"end (\d+)", line)
            if line == "done":
                self.done[rank] = True
            elif end:
                self.end[own[int(end[1])]] = True
            elif not place:
                self.wrong.append(line)
            elif place[0] == line:
                thread, token = self.tokens[rank][int(place[1])]
                self.reached[thread] = token
            else:
                self.items[self.tokens[rank][int(place[1])]] = re.sub(r"\d+\.\d+", self.label, line)

    def outcome(self):
        if all(self.end):
            return " ".join(
                [self.items[k] for k in sorted(self.items)] + ["ok" if all(self.done) else "unfinished"]
            )
        kinds = {(r, k): t.kind for r, line in enumerate(self.scenario.lines) for k, t in enumerate(line)}
        items = [
            self.items[k]
            for k in sorted(self.items)
            if not (kinds[k] in PENDING | sf.EXCHANGE and self.items[k].endswith("<-"))
        ]
        stuck = [f"{self.scenario.label(r)}@{k}" for r, k in enumerate(self.reached) if not self.end[r]]
        return " ".join(items + ["deadlock:" + ",".join(stuck)])


def told(folder):
    """What each rank of each world has told: (token of the world, rank, [history]), a history being lines;
    the last is the whole one where no rank goes back."""
    for name in sorted(os.listdir(folder)):
        token, rank = name.rsplit(".", 1)
        with open(os.path.join(folder, name), encoding="ascii") as stream:
            yield token, int(rank), [history.splitlines() for history in stream.read().split("\n\n")[:-1]]


def read_worlds(scenario, folder):
    worlds = {}
    for token, rank, histories in told(folder):
        worlds.setdefault(token, World(scenario)).read(rank, histories[-1] if histories else [])
    return list(worlds.values())


def read_histories(scenario, folder):
    """The items of each history of a rank: {(rank, {item})}."""
    found = set()
    for _, rank, histories in told(folder):
        for history in histories:
            world = World(scenario)
            world.read(rank, history)
            items = [*world.items.values(), *world.wrong]
            found.add((rank, frozenset(i for i in items if not i.endswith("-"))))
    return found

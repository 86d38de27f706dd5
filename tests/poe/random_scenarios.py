#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random small scenarios: a correct program first, then spoilt a little.

A scenario starts as a few messages in some global order, each with a send and a receive (or a
probe) that can take it; collectives are added in between, then requests get their waits, tokens their ways
(by which MPI calls they are played: that changes no outcome), and in some of them tokens are swapped, dropped
or changed. So most do something before they hang, if they hang. Scenario k of seed S depends on (S, k) only.

usage: random_scenarios.py --seed S --count N [--only K]     (separated by ---)
"""

import argparse
import random

import random_visits
import scenario_file as sf
from scenario_file import ANY, Token

MAX_TOKENS = 7  # of a rank
MAX_POLLS = 3


class Maker:
    def __init__(self, rng, collectives, locks):
        self.rng = rng
        ranks = rng.choice([2, 3, 3, 3, 4])
        self.scenario = sf.Scenario(ranks)
        self.unmade = []  # communicators that the program itself makes, later
        if rng.random() < 0.25:
            self.add_comm("B")
            self.unmade = rng.choice([[], ["B"]])
        if rng.random() < 0.12:
            self.add_comm("I")
            members = self.scenario.comms["I"]
            self.scenario.sides["I"] = sorted(rng.sample(members, rng.randint(1, len(members) - 1)))
        if rng.random() < 0.1:
            self.scenario.scale = rng.choice([500, 20000])
        self.polls = 0
        self.names = [0] * ranks
        # The mood of a scenario: what it has much of. Mixed dice make all scenarios alike.
        self.wild = rng.choice([0.3, 0.7, 0.9])
        self.nonblocking = rng.choice([0.2, 0.5, 0.9])
        self.tags = rng.choice([[0], [0], [0, 1], [0, 1, ANY]])
        self.probing = rng.choice([0, 0, 0.2, 0.5])
        self.polling = rng.choice([0, 0.3, 0.6])
        moods = [["barrier"], ["barrier", "bcast", "reduce"], ["bcast", "reduce", "scan", "neighbor"]]
        self.rare = rng.choice([0, 0, 0.3])  # what few programs do
        self.may_lock = locks
        self.ways = rng.choice([0, 0.2, 0.6])
        self.nobody = rng.choice([0, 0, 0.15])
        self.collectives = collectives or rng.choice([*moods, ["take", "bcast", "reduce", "scan"]])
        self.empty = 0 if collectives else rng.choice([0, 0.2, 0.5])  # collectives of which some get no data

    def add_comm(self, name):
        ranks = self.scenario.ranks
        self.scenario.comms[name] = sorted(self.rng.sample(range(ranks), self.rng.randint(2, ranks)))

    def comm(self):
        return self.rng.choice([c for c in ["", *self.scenario.comms] if c not in self.unmade])

    def name(self, rank):
        self.names[rank] += 1
        return "abcdefghijklmnopqrstuvwxyz"[self.names[rank] - 1]

    def chance(self, p):
        return self.rng.random() < p

    def poll(self, p):
        if self.polls < MAX_POLLS and self.chance(p):
            self.polls += 1
            return True
        return False

    def message(self):
        rng, scenario = self.rng, self.scenario
        comm = self.comm()
        members = scenario.members(comm)
        dest = rng.choice(members if self.chance(0.3) else members[:2])  # a crowd is interesting
        source = rng.choice([m for m in scenario.peers(comm, dest) if m != dest])
        if self.chance(0.05) and comm not in scenario.sides:
            source = dest
        tag = rng.choice([t for t in self.tags if t is not ANY])
        kind = rng.choice(["send", "send", "send", "send", "ssend", "bsend", "rsend"])
        if self.chance(self.nonblocking) or source == dest:
            kind = "i" + kind
        if self.chance(self.rare / 2):
            self.rare_message(source, dest, tag, comm)
            return
        if self.chance(self.nobody):
            self.message_to_nobody(source)
        name = self.name(source) if kind in sf.REQUEST and self.chance(0.85) else ""
        scenario.lines[source].append(Token(kind, dest, tag, comm, name))

        peer = ANY if self.chance(self.wild) else source
        want = ANY if ANY in self.tags and self.chance(0.4) else tag
        line = scenario.lines[dest]
        if self.chance(self.probing):
            poll = "i" if self.poll(0.5) else ""
            if self.chance(0.5):
                message = self.name(dest)
                line.append(Token(f"{poll}mprobe", peer, want, comm, message))
                kind = "imrecv" if self.chance(self.nonblocking) else "mrecv"
                name = self.name(dest) if kind == "imrecv" else ""
                line.append(Token(kind, name=name, args=[message]))
                return
            line.append(Token(f"{poll}probe", peer, want, comm))
        kind = "irecv" if self.chance(self.nonblocking) else "recv"
        name = self.name(dest) if kind == "irecv" and self.chance(0.9) else ""
        line.append(Token(kind, peer, want, comm, name))

    def message_to_nobody(self, rank):
        kind = self.rng.choice(
            ["send", "isend", "ibsend", "recv", "irecv", "irecv", "probe", "iprobe", "mprobe"]
        )
        name = self.name(rank) if kind in sf.REQUEST | sf.MESSAGE else ""
        self.scenario.lines[rank].append(Token(kind, sf.NULL, 0, name=name))
        if kind in sf.MESSAGE:
            self.scenario.lines[rank].append(Token("mrecv", args=[name]))

    def repeated(self, source, dest, tag, comm):
        """Two messages; the same persistent request for both, on one side or on both."""
        rng = self.rng
        for rank, kinds, peer in (source, ["isend", "isend", "issend", "ibsend", "irsend"], dest), (
            dest,
            ["irecv"],
            source,
        ):
            line, kind = self.scenario.lines[rank], rng.choice(kinds)
            peer = ANY if kind == "irecv" and self.chance(self.wild) else peer
            if self.chance(0.3):
                line += [Token(kind.lstrip("i"), peer, tag, comm), Token(kind.lstrip("i"), peer, tag, comm)]
                continue
            first, second = self.name(rank), self.name(rank)
            line.append(Token(kind, peer, tag, comm, first, way="init"))
            line.append(Token("wait", args=[first]))
            line.append(Token(kind, peer, tag, comm, second, way=sf.AGAIN + first))

    def rare_message(self, source, dest, tag, comm):
        lines = self.scenario.lines
        if self.chance(0.4) and source != dest:
            self.repeated(source, dest, tag, comm)
            return
        if self.chance(0.4):
            name = self.name(source)
            lines[source] += [Token("psend", dest, tag, comm, name), Token("ready", args=[name])]
            lines[dest].append(Token("precv", source, tag, comm, self.name(dest)))
            return
        for rank, other in {(source, dest), (dest, source)} if self.chance(0.7) else [(source, dest)]:
            wanted = ANY if self.chance(self.wild) else other
            kind = self.rng.choice(["sendrecv", "isendrecv"])
            name = self.name(rank) if kind in sf.REQUEST else ""
            lines[rank].append(Token(kind, other, 0, comm, name, sources=[wanted]))

    def locks(self, rank):
        """Puts one critical section, sometimes two, somewhere; and waits for the buffer to be empty."""
        rng, line = self.rng, self.scenario.lines[rank]
        for target in rng.sample(range(2), rng.choice([0, 1, 1, 2])):
            end = rng.randint(0, len(line))
            line.insert(end, Token("unlock", target))
            line.insert(rng.randint(0, end), Token(rng.choice(["lock", "lock", "lockshared"]), target))
        if self.chance(0.2):
            line.insert(rng.randint(0, len(line)), Token("turn"))

    def waits(self, rank):
        """Puts completions of the named requests somewhere behind them."""
        rng, line = self.rng, self.scenario.lines[rank]
        names = [t.name for t in line if t.kind in sf.REQUEST and t.name]
        rng.shuffle(names)
        rounds = 0
        while names and rounds < 3:
            rounds += 1
            some = names[: rng.randint(1, 3)]
            kind = rng.choice(["wait", "wait", "waitall", "waitall", "waitany", "waitsome"])
            if self.poll(self.polling):
                kind = rng.choice(["test", "testall", "testany", "testsome"])
            if self.chance(0.03) and not any(t.name in some and t.kind in sf.COLLECTIVES for t in line):
                kind = "free"  # MPI allows it for messages only
            if kind in sf.ONE:
                some = some[:1]
            first = max(k for k, t in enumerate(line) if t.name in some and t.name) + 1
            where = len(line) if self.chance(0.75) else rng.randint(first, len(line))
            line.insert(where, Token(kind, args=some))
            if kind in ("wait", "waitall", "free") or self.chance(0.4):
                names = [n for n in names if n not in some]
            rng.shuffle(names)

    def collective(self):
        rng, scenario = self.rng, self.scenario
        comm = self.comm()
        members = scenario.members(comm)
        kind = "barrier" if comm in scenario.sides else rng.choice(self.collectives)
        if self.chance(self.nonblocking):
            kind = "i" + kind
        root = rng.choice(members) if kind in sf.ROOTED else ANY
        way = self.way(kind, comm)
        empties = [
            kind + "0" if kind + "0" in sf.EMPTY and self.chance(self.empty) else kind for _ in members
        ]
        if kind.lstrip("i") in ("reduce", "scan"):
            empties = empties[:1] * len(members)
        for rank, kind in zip(members, empties):
            line = scenario.lines[rank]
            name = self.name(rank) if kind in sf.REQUEST and self.chance(0.9) else ""
            sources = rng.sample(members, rng.randint(0, len(members))) if kind in sf.NEIGHBOR else []
            # Mostly at one global time; elsewhere it soon hangs.
            where = len(line) if self.chance(0.9) else rng.randint(0, len(line))
            line.insert(where, Token(kind, root, comm=comm, name=name, sources=sources, way=way))

    def make_comm(self):
        comm = self.unmade.pop()
        way = self.way("make", "")
        for line in self.scenario.lines:
            line.append(Token("make", way=way, makes=comm))

    def way(self, kind, comm):
        ways = sorted(
            sf.WAYS.get(kind, ()) if comm not in self.scenario.sides else sf.INTER_WAYS & sf.WAYS[kind]
        )
        return self.rng.choice(ways) if ways and self.chance(self.ways) else ""

    def give_ways(self):
        for line in self.scenario.lines:
            for token in line:
                if token.kind not in sf.COLLECTIVES and not token.way:
                    token.way = self.way(token.kind, "")

    def drop_comm(self, rank):
        """Gives back a communicator behind its last call, whatever is still pending there."""
        line = self.scenario.lines[rank]
        for comm in [c for c in self.scenario.comms if rank in self.scenario.members(c)]:
            last = max((k for k, t in enumerate(line) if comm in (t.comm, t.makes)), default=-1)
            line.insert(
                self.rng.choice([last + 1, self.rng.randint(last + 1, len(line))]), Token("drop", comm=comm)
            )

    def spoil(self):
        rng, scenario = self.rng, self.scenario
        line = rng.choice(scenario.lines)
        if not line:
            return
        k = rng.randrange(len(line))
        token = line[k]
        how = rng.random()
        if how < 0.45 and k + 1 < len(line):
            line[k], line[k + 1] = line[k + 1], line[k]
        elif how < 0.55 and not token.name:
            del line[k]
        elif how < 0.7 and token.kind in sf.RECVS | sf.PROBES:
            token.peer = ANY
        elif how < 0.8 and token.kind in sf.RECVS | sf.PROBES:
            token.tag = ANY
        elif how < 0.9 and token.kind in sf.SENDS | sf.RECVS:
            token.tag = rng.choice([0, 1])
        elif token.peer is not ANY:
            token.peer = rng.choice(scenario.members(token.comm))

    def make(self):
        collectives = self.rng.choice([0, 0, 0.15, 0.3, 0.6])
        for _ in range(self.rng.choice([2, 3, 4, 4, 5, 5, 6])):
            self.message()
            if self.unmade and self.chance(0.5):
                self.make_comm()
            if self.chance(collectives):
                before = self.scenario.copy()
                self.collective()
                self.keep_or(before)
        for rank in range(self.scenario.ranks):
            self.waits(rank)
        if self.unmade:
            self.make_comm()
        if self.chance(0.3):
            before = self.scenario.copy()
            for rank in range(self.scenario.ranks):
                self.drop_comm(rank)
            self.keep_or(before)
        before = self.scenario.copy()
        self.give_ways()
        self.keep_or(before)
        locked = self.may_lock and self.chance(self.rare)
        mood = random_visits.mood(self.rng) if self.may_lock and self.chance(0.3) else None
        for rank in range(self.scenario.ranks):
            if self.chance(self.rare):
                self.scenario.lines[rank].append(Token("detach"))
            if locked:
                before = self.scenario.copy()
                self.locks(rank)
                self.keep_or(before)
            if mood:
                before = self.scenario.copy()
                random_visits.add(self.rng, self.scenario.lines[rank], mood)
                self.keep_or(before)
        for _ in range(self.rng.choice([0, 0, 0, 0, 1, 1, 2])):
            before = self.scenario.copy()
            self.spoil()
            self.keep_or(before)
        return self.scenario

    def keep_or(self, before):
        try:
            sf.check(self.scenario)
        except sf.Bad:
            self.scenario = before


def scenario(seed, k, collectives=None, locks=True):
    """collectives: names of those that may be in it; None: any. locks: whether there may be some."""
    rng = random.Random(f"{seed}.{k}")
    while True:
        made = Maker(rng, collectives, locks).make()
        try:
            sf.check(made)
        except sf.Bad:
            continue
        if max(map(len, made.lines)) <= MAX_TOKENS:
            return made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", type=int, help="number of the one to print")
    parser.add_argument("--of-threads", action="store_true")
    parser.add_argument("--of-cancels", action="store_true")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    make = scenario
    if options.of_threads:
        import random_threads

        make = random_threads.scenario
    if options.of_cancels:
        import random_cancels

        make = random_cancels.scenario
    print(
        "---\n".join(f"# seed {options.seed}, number {k}\n{make(options.seed, k)}" for k in numbers), end=""
    )


if __name__ == "__main__":
    main()

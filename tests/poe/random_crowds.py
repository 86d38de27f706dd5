# SPDX-License-Identifier: BSD-3-Clause
"""Random scenarios in which states come up again: compare_merging.py.

Many ranks send to few, which take what comes by wildcards, in several rounds: answers, further senders that
wait for the first ones, collectives in between, polls. Most have deadlocks in some orders. Scenario k of
seed S depends on (S, k) only.
"""

import random

import scenario_file as sf
from scenario_file import ANY, Token

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.ranks = rng.choice([3, 4, 4, 5, 5, 6])
        self.scenario = sf.Scenario(self.ranks)
        self.lines = self.scenario.lines
        self.pending = [[] for _ in range(self.ranks)]
        self.names = [0] * self.ranks
        self.wild = rng.choice([0.5, 0.8, 1])
        self.nonblocking = rng.choice([0, 0.2, 0.6])
        self.tags = rng.choice([[0], [0], [0, 1], [0, 1, ANY]])
        self.polling = rng.choice([0, 0, 0.3, 0.6])
        self.probing = rng.choice([0, 0, 0.3])
        self.synchronous = rng.choice([0, 0.3, 1])

    def chance(self, p):
        return self.rng.random() < p

    def name(self, rank):
        self.names[rank] += 1
        name = LETTERS[self.names[rank] - 1]
        self.pending[rank].append(name)
        return name

    def put(self, rank, *words, **fields):
        self.lines[rank].append(Token(*words, **fields))

    def send(self, source, dest, tag):
        synchronous = "s" if self.chance(self.synchronous) else ""
        if self.chance(self.nonblocking):
            self.put(source, f"i{synchronous}send", dest, tag, name=self.name(source))
        else:
            self.put(source, f"{synchronous}send", dest, tag)

    def receive(self, dest, source, tag):
        peer = ANY if self.chance(self.wild) else source
        tag = ANY if ANY in self.tags and self.chance(0.5) else tag
        if self.chance(self.probing):
            if self.chance(0.5):
                self.put(dest, self.rng.choice(["probe", "iprobe"]), peer, tag)
                self.put(dest, "recv", peer, tag)
            else:
                name = self.name(dest)
                self.pending[dest].remove(name)
                self.put(dest, "mprobe", peer, tag, name=name)
                self.put(dest, "mrecv", args=[name])
        elif self.chance(self.nonblocking):
            self.put(dest, "irecv", peer, tag, name=self.name(dest))
        else:
            self.put(dest, "recv", peer, tag)

    def complete(self, rank):
        names = self.pending[rank]
        if not names:
            return
        some = self.rng.sample(names, self.rng.randint(1, len(names)))
        polls = self.chance(self.polling)
        kind = self.rng.choice(
            ["testany", "test", "testsome"] if polls else ["waitall", "waitany", "waitsome"]
        )
        if kind in ("test", "waitall"):
            some = some[:1] if kind == "test" else some
        self.put(rank, kind, args=some)
        if kind == "waitall":
            for name in some:
                names.remove(name)

    def round(self):
        rng = self.rng
        tag = rng.choice([t for t in self.tags if t is not ANY])
        dest = rng.choice([0, 0, 0, 1])
        sources = [r for r in range(self.ranks) if r != dest]
        sources = rng.sample(sources, rng.randint(2, min(4, len(sources))))
        kind = rng.choice(["gather", "gather", "farm", "chain"])
        if kind == "chain":
            for a, b in zip(sources, sources[1:]):
                self.send(a, b, tag)
                self.receive(b, a, tag)
        for source in sources:
            self.send(source, dest, tag)
        for source in sources:
            self.receive(dest, source, tag)
            if kind == "farm":
                self.send(dest, source, 0)
                self.receive(source, dest, 0)
        for rank in range(self.ranks):
            if self.chance(0.4):
                self.complete(rank)
        if self.chance(0.2):
            for rank in range(self.ranks):
                self.put(rank, "barrier")

    def head_to_head(self):
        """Two that send before they receive: a deadlock unless one of the messages is kept."""
        a, b = self.rng.sample(range(self.ranks), 2)
        tag = self.rng.choice([2, 2, 3])
        for rank, other in (a, b), (b, a):
            self.put(rank, "send", other, tag)
            self.put(rank, "recv", other, tag)

    def kept(self):
        """A message, and a choice that another one must be kept for."""
        dest, source, other = self.rng.sample(range(self.ranks), 3)
        self.put(source, "send", other, 4)
        self.put(source, "send", dest, 0)
        self.put(other, "send", dest, 0)
        for _ in range(2):
            self.put(dest, "recv", ANY, 0)
        self.put(other, "recv", source, 4)

    def together(self):
        """A collective that some may leave early."""
        kind = self.rng.choice(["bcast", "reduce", "scan", "ireduce", "ibcast"])
        root = self.rng.randrange(self.ranks) if kind in sf.ROOTED else ANY
        for rank in range(self.ranks):
            self.put(rank, kind, root, name=self.name(rank) if kind in sf.REQUEST else "")

    def spoil(self):
        rank = self.rng.randrange(self.ranks)
        line = self.lines[rank]
        if len(line) < 2:
            return
        a = self.rng.randrange(len(line) - 1)
        if self.chance(0.6):
            line[a], line[a + 1] = line[a + 1], line[a]
        else:
            line.pop(a)


def scenario(seed, k, mixed=False):
    """mixed: with messages that deadlock unless some, and not all, are kept."""
    rng = random.Random(f"crowds {seed}.{k}")
    for _ in range(1000):
        maker = Maker(rng)
        for _ in range(rng.choice([1, 2, 2, 3])):
            maker.round()
            if mixed:
                rng.choice([maker.head_to_head, maker.kept, maker.kept, maker.together])()
        for rank in range(maker.ranks):
            if maker.pending[rank] and maker.chance(0.7):
                maker.put(rank, "waitall", args=list(maker.pending[rank]))
        for _ in range(rng.choice([0, 0, 1, 2, 3])):
            maker.spoil()
        try:
            sf.check(maker.scenario)
        except sf.Bad:
            continue
        return maker.scenario
    raise RuntimeError("none of a thousand")

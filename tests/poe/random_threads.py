# SPDX-License-Identifier: BSD-3-Clause
"""Random small scenarios in which a rank or two has several threads: see random_scenarios.py, and compare.py
--of-threads.

A scenario starts as messages in some order, each with a receive that can take it, dealt out to the threads of
their ranks; then requests get their waits, and in some of them tokens are swapped, dropped or changed.
"""

import random

import scenario_file as sf
from scenario_file import ANY, Token

MAX_POLLS = 2


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.scenario = sf.Scenario(rng.choice([2, 2, 3]))
        for _ in range(rng.choice([1, 1, 2])):
            self.scenario.threads.append(rng.randrange(self.scenario.ranks))
        self.scenario.threads.sort()
        self.scenario.lines += [[] for _ in self.scenario.threads]
        self.wild = rng.choice([0, 0.3, 0.8])
        self.nonblocking = rng.choice([0.2, 0.6])
        self.tags = rng.choice([[0], [0], [0, 1]])
        self.probing = rng.choice([0, 0, 0.3])
        self.polls = 0
        self.names = [0] * len(self.scenario.lines)

    def chance(self, p):
        return self.rng.random() < p

    def poll(self, p):
        if self.polls < MAX_POLLS and self.chance(p):
            self.polls += 1
            return True
        return False

    def line(self, rank):
        return self.rng.choice(
            [k for k in range(len(self.scenario.lines)) if self.scenario.rank_of(k) == rank]
        )

    def name(self, line):
        self.names[line] += 1
        return "abcdefghijklmnopqrstuvwxyz"[self.names[line] - 1]

    def message(self):
        rng, scenario = self.rng, self.scenario
        source, dest = rng.sample(range(scenario.ranks), 2)
        if self.chance(0.5) and scenario.threads[0] not in (source, dest):
            dest = scenario.threads[0]
        tag = rng.choice(self.tags)
        kind = rng.choice(["send", "send", "send", "ssend", "bsend"])
        if self.chance(self.nonblocking):
            kind = "i" + kind
        line = self.line(source)
        scenario.lines[line].append(
            Token(kind, dest, tag, name=self.name(line) if kind in sf.REQUEST else "")
        )
        line = self.line(dest)
        peer = ANY if self.chance(self.wild) else source
        tag = ANY if len(self.tags) > 1 and self.chance(0.1) else tag
        tokens = scenario.lines[line]
        if self.chance(self.probing):
            poll = "i" if self.poll(0.5) else ""
            if self.chance(0.4):
                name = self.name(line)
                tokens += [Token(f"{poll}mprobe", peer, tag, name=name), Token("mrecv", args=[name])]
                return
            tokens.append(Token(f"{poll}probe", peer, tag))
        kind = "irecv" if self.chance(self.nonblocking) else "recv"
        tokens.append(Token(kind, peer, tag, name=self.name(line) if kind in sf.REQUEST else ""))

    def waits(self, line):
        tokens = self.scenario.lines[line]
        names = [t.name for t in tokens if t.name and t.kind in sf.REQUEST]
        self.rng.shuffle(names)
        while names:
            some = [names.pop() for _ in range(min(len(names), self.rng.choice([1, 1, 2])))]
            kind = "wait" if len(some) == 1 else self.rng.choice(["waitall", "waitall", "waitany"])
            if len(some) == 1 and self.poll(0.2):
                kind = "test"
            first = max(k for k, t in enumerate(tokens) if t.name in some) + 1
            tokens.insert(
                len(tokens) if self.chance(0.7) else self.rng.randint(first, len(tokens)),
                Token(kind, args=some),
            )

    def spoil(self):
        line = self.rng.choice(self.scenario.lines)
        if not line:
            return
        k, how = self.rng.randrange(len(line)), self.rng.random()
        token = line[k]
        if how < 0.5 and k + 1 < len(line):
            line[k], line[k + 1] = line[k + 1], line[k]
        elif how < 0.7 and not token.name:
            del line[k]
        elif token.kind in sf.RECVS | sf.PROBES:
            token.peer = ANY

    def make(self):
        for _ in range(self.rng.choice([2, 3, 3, 4])):
            self.message()
        for line in range(len(self.scenario.lines)):
            self.waits(line)
        if self.chance(0.15):
            kind = self.rng.choice(["barrier", "bcast"])
            for line in self.scenario.lines[: self.scenario.ranks]:
                line.insert(self.rng.randint(0, len(line)), Token(kind, 0 if kind == "bcast" else ANY))
        for _ in range(self.rng.choice([0, 0, 1])):
            before = self.scenario.copy()
            self.spoil()
            try:
                sf.check(self.scenario)
            except sf.Bad:
                self.scenario = before
        return self.scenario


def scenario(seed, k):
    rng = random.Random(f"threads {seed}.{k}")
    while True:
        made = Maker(rng).make()
        try:
            sf.check(made)
        except sf.Bad:
            continue
        return made

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random scenarios in which mixed buffering may matter: two sends that need not be kept both, and a choice
between.

Every third is one of random_scenarios.py. The others are made of steps at random: messages that come across
each other (head to head), wildcards, probes and tests that see a message only if an earlier one was kept,
collectives that some may leave early. Scenario k of seed S depends on (S, k) only. No locks: poe runs one
order of those.

usage: random_mixed.py --seed S --count N [--only K]     (separated by ---)
"""

import argparse
import random

import random_scenarios
import scenario_file as sf
from scenario_file import ANY, Token

MAX_TOKENS = 8


class Maker:
    def __init__(self, rng):
        self.rng = rng
        self.scenario = sf.Scenario(rng.choice([2, 3, 3, 3, 4]))
        self.names = [0] * self.scenario.ranks
        self.collective = rng.random() < 0.4
        self.polling = rng.random() < 0.4

    def put(self, rank, token):
        line = self.scenario.lines[rank]
        line.insert(len(line) if self.rng.random() < 0.75 else self.rng.randint(0, len(line)), token)

    def name(self, rank):
        self.names[rank] += 1
        return "abcdefghijklmnopqrstuvwxyz"[self.names[rank] - 1]

    def send(self, source, dest, tag):
        kind = self.rng.choice(["send"] * 7 + ["isend", "isend", "ssend", "bsend", "rsend"])
        self.put(source, Token(kind, dest, tag))

    def receive(self, dest, source, tag):
        kind = self.rng.choice(["recv"] * 4 + ["irecv", "iprobe" if self.polling else "recv"])
        peer = ANY if self.rng.random() < 0.5 else source
        if kind == "irecv" and self.rng.random() < 0.7:
            name = self.name(dest)
            self.put(dest, Token("irecv", peer, tag, name=name))
            self.scenario.lines[dest].append(Token("wait", args=[name]))
            return
        if kind == "iprobe":
            self.put(dest, Token("iprobe", peer, tag))
            kind = "recv"
        self.put(dest, Token(kind, peer, tag))

    def pair(self):
        return self.rng.sample(range(self.scenario.ranks), 2)

    def message(self):
        source, dest = self.pair()
        tag = self.rng.choice([0, 0, 1])
        self.send(source, dest, tag)
        self.receive(dest, source, tag)

    def head_to_head(self):
        a, b = self.pair()
        tag = self.rng.choice([0, 1, 2])
        for rank, other in (a, b), (b, a):
            self.put(rank, Token("send", other, tag))
            self.put(rank, Token("recv", other, tag))

    def tested(self):
        source, dest = self.pair()
        name = self.name(source)
        self.scenario.lines[source] += [
            Token("isend", dest, 0, name=name),
            Token("test" if self.polling else "wait", args=[name]),
        ]
        self.put(dest, Token("recv", source, 0))

    def together(self):
        if not self.collective:
            return
        kind = self.rng.choice(["reduce", "reduce", "bcast", "scan", "neighbor", "ireduce", "barrier"])
        root = self.rng.randrange(self.scenario.ranks) if kind in sf.ROOTED else ANY
        for rank, line in enumerate(self.scenario.lines):
            name = self.name(rank) if kind in sf.REQUEST else ""
            sources = (
                self.rng.sample(range(self.scenario.ranks), self.rng.randint(0, 2))
                if kind in sf.NEIGHBOR
                else []
            )
            line.append(Token(kind, root, name=name, sources=sources))
            if name:
                line.append(Token("wait", args=[name]))

    def detach(self):
        rank = self.rng.randrange(self.scenario.ranks)
        self.put(rank, Token("detach"))

    def make(self):
        steps = [self.message] * 5 + [self.head_to_head] * 2 + [self.tested, self.together, self.together]
        for _ in range(self.rng.choice([3, 4, 4, 5, 5])):
            self.rng.choice(steps)()
        if self.rng.random() < 0.1:
            self.detach()
        return self.scenario


def scenario(seed, k):
    rng = random.Random(f"mixed {seed}.{k}")
    if k % 3 == 0:
        return random_scenarios.scenario(seed, k, locks=k % 2 == 0)
    while True:
        made = Maker(rng).make()
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
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    print(
        "---\n".join(f"# seed {options.seed}, number {k}\n{scenario(options.seed, k)}" for k in numbers),
        end="",
    )


if __name__ == "__main__":
    main()

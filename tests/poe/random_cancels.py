# SPDX-License-Identifier: BSD-3-Clause
"""Random small scenarios in which receives are cancelled: compare.py --of-cancels; and crowds
(random_crowds.py): compare_merging.py --of-cancels.

In each of random_scenarios.py that has receives to cancel, some are, at any place behind them; most of these
get another receive for the message that they leave. Some scenarios have none, as not every program has.
"""

import random

import random_crowds
import random_scenarios
import scenario_file as sf
from scenario_file import Token

MORE_TOKENS = 3  # of a rank


def receives(line):
    return [t for t in line if t.kind == "irecv" and t.name and not t.is_to_null()]


def add(rng, scenario, rank):
    line = scenario.lines[rank]
    receive = rng.choice(receives(line))
    first = line.index(receive) + 1
    waits = [k for k, t in enumerate(line) if receive.name in t.args]
    last = waits[-1] if waits and rng.random() < 0.8 else len(line)
    at = rng.randint(min(first, last), max(first, last))
    line.insert(at, Token("cancel", args=[receive.name]))
    if not waits and rng.random() < 0.7:
        line.insert(at + 1, Token(rng.choice(["wait", "wait", "test", "free"]), args=[receive.name]))
    if rng.random() < 0.6:
        line.insert(rng.randint(first, len(line)), Token("recv", receive.peer, receive.tag, receive.comm))


def scenario(seed, k):
    rng = random.Random(f"cancels {seed}.{k}")
    for attempt in range(1000):
        made = random_scenarios.scenario(f"c{seed}.{k}", attempt, locks=False)
        if rng.random() < 0.05:
            return made
        for _ in range(rng.choice([1, 1, 2, 3])):
            ranks = [
                r
                for r, line in enumerate(made.lines)
                if receives(line) and len(line) < random_scenarios.MAX_TOKENS + MORE_TOKENS - 2
            ]
            if ranks:
                add(rng, made, rng.choice(ranks))
        try:
            sf.check(made)
        except sf.Bad:
            continue
        if any(t.kind == "cancel" for line in made.lines for t in line):
            return made
    raise RuntimeError("none of a thousand")


def crowd(seed, k):
    rng = random.Random(f"cancelled crowd {seed}.{k}")
    for attempt in range(1000):
        made = random_crowds.scenario(f"{seed}.{attempt}", k, False)
        ranks = [r for r, line in enumerate(made.lines) if receives(line)]
        if not ranks:
            continue
        add(rng, made, rng.choice(ranks))
        try:
            sf.check(made)
        except sf.Bad:
            continue
        return made
    raise RuntimeError("none of a thousand")

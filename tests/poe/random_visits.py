# SPDX-License-Identifier: BSD-3-Clause
"""Puts visits (visits.py) into a random scenario: few targets and places, so that they meet."""

import visits
from scenario_file import Token

PLACES = 2


def epoch(rng, line, target):
    """A lock somewhere and its unlock, with accesses; mostly side by side, sometimes with what stood there
    between them."""
    begin = rng.randint(0, len(line))
    end = begin if rng.random() < 0.7 else rng.randint(begin, len(line))
    inside = [
        Token(rng.choice(sorted(visits.ACCESSES)), target, rng.randrange(PLACES))
        for _ in range(rng.choice([0, 1, 1, 1, 2]))
    ]
    shared = rng.random() < 0.25
    if shared and inside and rng.random() < 0.5:
        inside[-1].kind = rng.choice(sorted(visits.ATOMICS))
    line[begin:end] = [
        Token("lockshared" if shared else "lock", target),
        *inside,
        *line[begin:end],
        Token("unlock", target),
    ]


def add(rng, line, mood):
    """mood: which kinds the scenario has."""
    for _ in range(rng.choice([0, 1, 1, 2])):
        kind = rng.choice(mood)
        if kind == "epoch":
            epoch(rng, line, rng.randrange(2))
        elif kind == "turn":
            line.insert(rng.randint(0, len(line)), Token("turn"))
        else:
            line.insert(rng.randint(0, len(line)), Token(kind, 0, rng.randrange(PLACES)))


def mood(rng):
    return rng.choice(
        [
            ["epoch"],
            ["epoch", "turn"],
            ["fetch"],
            ["fetch", "look", "add", "set"],
            ["cas", "look"],
            ["cas", "set"],
            ["add", "add", "look"],
            ["epoch", "fetch", "cas", "turn"],
        ]
    )

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Chains of many ranks: what comes before what goes through each of them, so that clocks have many components
and are trees of several levels (poe/vector.h). What is expected follows from the standard, as said below.

Each rank after the first two waits for the one before it and sends to the next one; the last one sends to
rank 0, as rank 1 does first of all. Rank 0 takes both with wildcards.

usage: chains.py POE_SCENARIO
"""

import subprocess
import sys
import tempfile

import poe_program

SHORT, LONG = 5, 300  # of a leaf of a clock, and of three


def chain(ranks, first, last, receive):
    """`first`, `last`: what rank 1 calls before and after it starts the chain; `receive`: of the others."""
    lines = [f"ranks {ranks}", "0: recv(*,5) recv(*,5)", f"1: {first} send(2) {last}"]
    for rank in range(2, ranks):
        to = f"send({rank + 1})" if rank + 1 < ranks else "send(0,5)"
        lines.append(f"{rank}: {receive.format(rank - 1)} {to}")
    return "\n".join(lines)


# Orders of rank 0's two messages without and with buffering, and why.
CHAINS = [
    # complete means received (MPI-4.1, 3.4): only then does the chain begin
    ("ssend", ("ssend(0,5)", "", "recv({})"), (1, 1)),
    # it may wait for its receive, or be buffered, and then the last one's message may be first
    ("send", ("send(0,5)", "", "recv({})"), (1, 2)),
    # nobody waits for it before the chain's end, so either may be first; each wildcard of the chain has one
    # sender only (3.5)
    ("isend", ("isend(0,5):a", "wait(a)", "recv(*)"), (2, 2)),
]


def main():
    failed = 0
    for ranks in (SHORT, LONG):
        for name, how, expected in CHAINS:
            with tempfile.NamedTemporaryFile("w", suffix=".scn") as file:
                file.write(chain(ranks, *how) + "\n")
                file.flush()
                for mode, orders in zip(("zero", "infinite"), expected):
                    command = [sys.argv[1], "--mode", mode, file.name]
                    done = subprocess.run(command, check=True, capture_output=True, text=True)
                    (answer,) = poe_program.read(done.stdout)
                    got = answer.error or (answer.interleavings, answer.deadlocks)
                    right = got == (orders, 0) and len(set(answer.outcomes)) == orders
                    failed += not right
                    print(f"{'ok' if right else 'FAIL'} {ranks} ranks, {name}, {mode}: {got}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

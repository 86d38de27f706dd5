#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the deadlocks that poe finds with mixed buffering (poe/mixed.h) with the reference's, on random
scenarios.

What must hold:
- each that poe finds is one of the reference's: MPI may keep just what poe says, and then that state is
  reached;
- each of the reference's is covered, unless poe says that it may miss some (visits): poe's mixed deadlocks,
  and those with zero or infinite buffering, have one that
  has made the same decisions and is part of it. (Who waits in the larger one waits for something that the
  smaller one waits for, too.)

usage: compare_mixed.py POE_SCENARIO [--seed S] [--count N] [--first K] [--jobs J] [--one-of K] [--scenarios
FILE]
"""

import argparse
import multiprocessing
import os
import re
import sys

import poe_program
import random_mixed
import reference
import reference_mixed
import scenario_file as sf
import visits

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import week  # noqa: E402

BATCH = 50
ITEM = re.compile(r"(\d+\.\d+)([<?=])(\S+)$")
LIMIT = "-m: limit"
POLLS = {"iprobe", "improbe", "test", "testany", "testall", "testsome"}


def items(outcome):
    return {m[1]: m[3] for m in map(ITEM.match, outcome.split()) if m}


def still_active(line, index, rank, found):
    """How many requests the wait can choose from."""
    gone, nothing = set(), set()
    for k, token in enumerate(line[:index]):
        if token.kind == "improbe" and found.get(f"{rank}.{k}") == "-":
            nothing.add(token.name)
        elif token.kind == "imrecv" and token.args[0] in nothing:
            gone.add(token.name)
        elif token.kind in ("wait", "waitall", "free"):
            gone |= set(token.args)
        elif token.kind in ("waitany", "waitsome", "testany", "testsome"):
            answer = found.get(f"{rank}.{k}", "-")
            gone |= {token.args[int(p)] for p in answer.split(",")} if answer != "-" else set()
        elif token.kind in ("test", "testall") and found.get(f"{rank}.{k}") == "t":
            gone |= set(token.args)
    return len(set(line[index].args) - gone)


def is_decided(scenario, found, place, value):
    rank, index = map(int, place.split("."))
    token = scenario.lines[rank][index]
    if token.kind in POLLS:
        return value != "null"  # a probe of MPI_PROC_NULL
    if token.kind in ("waitany", "waitsome"):
        return value != "-" and still_active(scenario.lines[rank], index, rank, found) > 1
    wild = token.peer is sf.ANY or (token.kind in sf.EXCHANGE and token.sources[0] is sf.ANY)
    return wild and token.kind not in sf.MRECVS and value not in ("-", "null")


def covers(scenario, small, large):
    small, large = items(small), items(large)
    part = all(place in large and value in (large[place], "-") for place, value in small.items())
    return part and all(
        small.get(place) == value
        for place, value in large.items()
        if is_decided(scenario, large, place, value)
    )


def is_cut(answer):
    """It says that it may have missed some."""
    return any(line.startswith(LIMIT) for line in answer.mixed)


def judge(scenario, wanted, zero, infinite, answer):
    if answer.error:
        return [("error", answer.error)]
    found, mixed = [], []
    for line in answer.mixed:
        if line.startswith(LIMIT):
            continue
        outcome = visits.canonical(scenario.lines, line.partition(": ")[2].strip())
        mixed.append(outcome)
        if outcome not in wanted:
            found.append(("invented", line))
    if is_cut(answer):
        return found
    known = mixed + [o for o in zero | infinite if poe_program.is_deadlock(o)]
    for outcome in sorted(wanted):
        if not any(covers(scenario, small, outcome) for small in known):
            found.append(("missing", outcome))
    return found


class Totals:
    def __init__(self):
        self.scenarios = (
            self.skipped
        ) = self.deadlocks = self.only_mixed = self.with_mixed = self.sets = self.cut = 0

    def add(self, other):
        for field, value in vars(other).items():
            setattr(self, field, getattr(self, field) + value)


def job(work):
    options, names, scenarios = work
    if scenarios is None:
        scenarios = [random_mixed.scenario(options.seed, k) for k in names]
        names = [f"--seed {options.seed} --first {k} --count 1" for k in names]
    totals, bad, kept = Totals(), [], []
    for name, scenario in zip(names, scenarios):
        try:
            kept.append(
                (
                    name,
                    scenario,
                    reference_mixed.deadlocks(scenario, options.limit),
                    reference.outcomes(scenario, "zero", limit=options.limit),
                    reference.outcomes(scenario, "infinite", limit=options.limit),
                )
            )
        except reference.TooBig:
            totals.skipped += 1
    answers = (
        poe_program.run(options.program, "infinite", [str(s) for _, s, *_ in kept], ["--mixed"])
        if kept
        else []
    )
    for (name, scenario, wanted, zero, infinite), answer in zip(kept, answers):
        totals.scenarios += 1
        totals.deadlocks += len(wanted)
        only = wanted - zero - infinite
        totals.only_mixed += len(only)
        totals.with_mixed += bool(only)
        totals.sets += sum(not line.startswith(LIMIT) for line in answer.mixed)
        totals.cut += is_cut(answer)
        found = judge(scenario, wanted, zero, infinite, answer)
        if found:
            bad.append((name, scenario, found, answer))
    return totals, bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument(
        "--one-of",
        type=int,
        default=1,
        metavar="K",
        help="only the K-th part of them whose turn it is this week (../week.py)",
    )
    parser.add_argument("--scenarios", help="compare these instead of random ones")
    parser.add_argument("--limit", type=int, default=20000, help="states after which the reference gives up")
    parser.add_argument("--show", type=int, default=3, help="how many of those that differ to print")
    options = parser.parse_args()
    if options.scenarios:
        with open(options.scenarios, encoding="ascii") as stream:
            scenarios = [sf.parse(t) for t in sf.split(stream.read())]
        work = [(options, [f"{options.scenarios}#{k}"], [s]) for k, s in enumerate(scenarios)]
    else:
        numbers = week.part(range(options.first, options.first + options.count), options.one_of)
        if options.one_of > 1:
            print(
                f"scenarios {numbers.start} to {numbers.stop - 1}: {week.told(len(numbers), options.count)}"
            )
        work = [(options, numbers[k : k + BATCH], None) for k in range(0, len(numbers), BATCH)]
    totals, differ = Totals(), 0
    with multiprocessing.Pool(options.jobs) as pool:
        for part, bad in pool.imap(job, work):
            totals.add(part)
            for name, scenario, found, answer in bad:
                differ += 1
                if differ > options.show:
                    continue
                print(f"\n==== {name}")
                print(scenario, end="")
                for kind, text in found[:10]:
                    print(f"  {kind}: {text}")
                print("  poe:", *answer.mixed, sep="\n    ", flush=True)
    print(
        f"{totals.deadlocks} deadlocks, {totals.only_mixed} of them with mixed buffering only, "
        f"in {totals.with_mixed} scenarios; "
        f"poe tells {totals.sets}; {totals.cut} cut, {totals.skipped} skipped as too big"
    )
    print(f"{totals.scenarios} scenarios, {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()

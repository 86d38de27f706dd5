#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares predict/ with the brute-force reference (../poe/reference.py) on random scenarios, whose calls do
not depend on what matches; with zero and with infinite buffering:

- each deadlock that is predicted exists, and poe, led by the predicted decisions, stands there;
- of each deadlock that exists, with the ranks that wait and the tokens that they wait in, one is predicted:
  itself, or one of some of these ranks in these tokens.

Scenarios with what predict/ does not model (polls, windows, cancelled receives, partitioned messages) are
left out. One that differs is printed, as small as it gets.

usage: compare.py PREDICT_SCENARIO [--seed S] [--count N] [--jobs J] [--one-of K] [--scenarios FILE]
"""

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../poe"), os.path.join(HERE, "..")]

import compare as poe_compare  # noqa: E402
import random_scenarios  # noqa: E402
import reference  # noqa: E402
import scenario_file as sf  # noqa: E402
import visits  # noqa: E402
import week  # noqa: E402

MODES = ("zero", "infinite")
BATCH = 100
NOT_MODELLED = (
    {"iprobe", "improbe", "test", "testall", "testany", "testsome", "ready", "cancel", "unlock"}
    | sf.PARTITIONED
    | sf.LOCKS
    | visits.ACCESSES
    | visits.ATOMICS
)


class Stuck(reference.Explorer):
    """Its outcomes are where each rank waits for ever: the place of its token, or None."""

    def outcome(self, state):
        at = state[0]
        return tuple(
            line[at[rank]].place if at[rank] < len(line) else None for rank, line in enumerate(self.lines)
        )


def wanted(scenario, mode, limit):
    found = Stuck(scenario, mode == "infinite", limit=limit).outcomes()
    return {o for o in found if any(place is not None for place in o)}


class Answer:
    def __init__(self):
        self.deadlocks, self.error = [], "no last line"
        self.rounds = self.circles = self.choices = 0


def read(text):
    answers = []
    for line in text.splitlines():
        words = line.split()
        if words[0] == "==":
            answers.append(Answer())
        elif words[0] == "-d":
            places = [w.split(".")[1] for w in words[1:] if w[0].isdigit() and "." in w]
            answers[-1].deadlocks.append(tuple(None if p == "-" else int(p) for p in places))
            if words[-1] != "confirmed":
                answers[-1].error = f"not confirmed: {line}"
        elif words[1] == "deadlocks":
            if answers[-1].error == "no last line":
                answers[-1].error = ""
            answers[-1].choices, answers[-1].rounds, answers[-1].circles = (
                int(words[words.index(w) + 1]) for w in ("choices", "rounds", "circles")
            )
        else:
            answers[-1].error = line
    return answers


def ask(program, mode, scenarios):
    with tempfile.NamedTemporaryFile("w", suffix=".scn", encoding="ascii") as file:
        file.write("---\n".join(map(str, scenarios)))
        file.flush()
        done = subprocess.run(
            [program, "--mode", mode, file.name], text=True, capture_output=True, timeout=120, check=False
        )
    answers = read(done.stdout)
    if done.returncode or len(answers) != len(scenarios):
        if len(scenarios) > 1:
            return [ask(program, mode, [s])[0] for s in scenarios]
        answers = [Answer()]
        answers[0].error = f"exit code {done.returncode}: {done.stderr.strip()[-300:]}"
    return answers


def covers(found, deadlock):
    return all(place is None or place == other for place, other in zip(found, deadlock))


def judge(mode, want, answer):
    if answer.error:
        return [(f"{mode} error", answer.error)]
    found = [(f"{mode} invented", d) for d in answer.deadlocks if d not in want]
    found += [
        (f"{mode} missing", d)
        for d in sorted(want, key=str)
        if not any(covers(f, d) for f in answer.deadlocks)
    ]
    return found


def is_modelled(scenario):
    return not scenario.threads and not any(t.kind in NOT_MODELLED for line in scenario.lines for t in line)


class Totals:
    FIELDS = ("scenarios", "skipped", "deadlocking", "deadlocks", "predicted", "rounds", "circles", "choices")

    def __init__(self):
        for field in self.FIELDS:
            setattr(self, field, 0)

    def add(self, other):
        for field in self.FIELDS:
            setattr(self, field, getattr(self, field) + getattr(other, field))


def compare(options, scenarios, totals):
    """The differences of each scenario."""
    differences = [[] for _ in scenarios]
    for mode in MODES:
        kept, want = [], []
        for k, scenario in enumerate(scenarios):
            try:
                want.append(wanted(scenario, mode, options.limit))
                kept.append(k)
            except reference.TooBig:
                totals.skipped += 1
        answers = ask(options.program, mode, [scenarios[k] for k in kept]) if kept else []
        for k, w, answer in zip(kept, want, answers):
            differences[k] += judge(mode, w, answer)
            totals.scenarios += 1
            totals.deadlocking += bool(w)
            totals.deadlocks += len(w)
            totals.predicted += len(answer.deadlocks)
            totals.rounds += answer.rounds
            totals.circles += answer.circles
            totals.choices += answer.choices > 0
    return differences


def minimise(options, scenario, kinds):
    again, best = True, scenario
    while again:
        again = False
        for small in poe_compare.smaller(best):
            try:
                sf.check(small)
            except sf.Bad:
                continue
            if kinds & {kind for kind, _ in compare(options, [small], Totals())[0]}:
                best, again = small, True
                break
    return best


def report(options, name, scenario, found):
    print(f"\n==== {name}")
    small = minimise(options, scenario, {kind for kind, _ in found})
    print(small, end="")
    for kind, what in compare(options, [small], Totals())[0][:20]:
        print(f"  {kind}: {what}")
    print(f"---- the whole:\n{scenario}", flush=True)


def job(work):
    options, names, scenarios = work
    if scenarios is None:
        made = [(k, random_scenarios.scenario(options.seed, k, locks=False)) for k in names]
        made = [(k, s) for k, s in made if is_modelled(s)]
        names, scenarios = [f"--seed {options.seed} --only {k}" for k, _ in made], [s for _, s in made]
    totals = Totals()
    found = compare(options, scenarios, totals)
    return totals, [(n, s, f) for n, s, f in zip(names, scenarios, found) if f]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000, help="how many to make; some are left out")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--one-of", type=int, default=1, metavar="K", help="../week.py")
    parser.add_argument("--scenarios", help="compare these instead of random ones")
    parser.add_argument("--limit", type=int, default=20000, help="states after which the reference gives up")
    options = parser.parse_args()
    if options.scenarios:
        with open(options.scenarios, encoding="ascii") as stream:
            scenarios = [sf.parse(t) for t in sf.split(stream.read())]
        work = [(options, [f"{options.scenarios}#{k}"], [s]) for k, s in enumerate(scenarios)]
    else:
        numbers = week.part(range(options.count), options.one_of)
        work = [(options, numbers[k : k + BATCH], None) for k in range(0, len(numbers), BATCH)]
    totals, differ, begin = Totals(), 0, time.monotonic()
    with multiprocessing.Pool(options.jobs) as pool:
        for part, bad in pool.imap(job, work):
            totals.add(part)
            for name, scenario, found in bad:
                differ += 1
                if differ <= 3:
                    report(options, name, scenario, found)
    print(
        f"{totals.scenarios} comparisons ({totals.skipped} too big), {totals.choices} with a choice; "
        f"{totals.deadlocking} can deadlock, in {totals.deadlocks} places; {totals.predicted} predicted, "
        f"{totals.rounds} rounds, {totals.circles} circles; {differ} differ "
        f"({time.monotonic() - begin:.1f} s)"
    )
    sys.exit(differ > 0 or totals.scenarios == 0)


if __name__ == "__main__":
    main()

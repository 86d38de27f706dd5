#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares poe with the reference on random scenarios.

What must hold, with zero and with infinite buffering: poe's interleavings show exactly the
reference's outcomes, none missing, none invented, and none twice (two interleavings with one outcome
are one run, explored twice). Exploring by saving and restoring poe's state is the same as running again: the
same runs in the same order, redundant ones too, with the same races and outcomes. Where several polls of a
rank are at one place, poe may leave outcomes out, but then it must say so. And what `auto` builds on: if the
runs with zero buffering say that buffering does not matter, and none of them deadlocks, then infinite
buffering gives the same outcomes.

A scenario that differs is printed, and again as small as it can be made with the same kind of difference.

usage: compare.py POE_SCENARIO [--seed S] [--count N] [--first K] [--jobs J] [--one-of K] [--scenarios FILE]
                  [--threads T]
"""

import argparse
import itertools
import multiprocessing
import os
import sys
import time

import poe_program
import random_cancels
import random_scenarios
import random_threads
import reference
import scenario_file as sf
import visits

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import week  # noqa: E402

BATCH = 100
MODES = ("zero", "infinite")
POLLS = {"iprobe", "improbe", "test", "testall", "testany", "testsome"}


class Totals:
    FIELDS = (
        "scenarios",
        "skipped",
        "outcomes",
        "deadlocks",
        "redundant",
        "immaterial",
        "mattering",
        "loops",
        "cut",
        "runs",
        "merged_runs",
        "merged",
    )

    def __init__(self):
        for field in self.FIELDS:
            setattr(self, field, 0)
        self.reference_s = self.poe_s = self.restoring_s = 0.0

    def add(self, other):
        for field in self.FIELDS + ("reference_s", "poe_s", "restoring_s"):
            setattr(self, field, getattr(self, field) + getattr(other, field))


def same_runs(mode, again, restored):
    """What differs between exploring by running again and by restoring."""
    if restored.error:
        return [(f"{mode} restored error", restored.error)]
    found = [
        (f"{mode} restored: another run", f"{a} instead of {b}")
        for a, b in itertools.zip_longest(restored.runs, again.runs)
        if a != b
    ]
    found += [
        (f"{mode} restored: another outcome", f"{a} instead of {b}")
        for a, b in itertools.zip_longest(restored.outcomes, again.outcomes)
        if a != b
    ]
    if (restored.redundant, restored.matters) != (again.redundant, again.matters):
        found.append((f"{mode} restored: redundant or mattering otherwise", ""))
    return found


def judge(wanted, answers, may_be_twice=False):
    """The differences of one scenario: (kind, text). wanted, answers: mode -> ..."""
    found = []
    for mode in MODES:
        want, answer = wanted[mode], answers[mode]
        if answer.error:
            found.append((f"{mode} error", answer.error))
            continue
        got = set(answer.outcomes)
        if not answer.cut:
            found += [(f"{mode} missing", o) for o in sorted(want - got)]
        found += [(f"{mode} invented", o) for o in sorted(got - want)]
        found += [
            (f"{mode} twice", o) for o in sorted(got) if answer.outcomes.count(o) > 1 and not may_be_twice
        ]
    zero = answers["zero"]
    unlike = {visits.without_waits(o) for o in wanted["zero"]} ^ {
        visits.without_waits(o) for o in wanted["infinite"]
    }
    if not zero.error and not zero.matters and not zero.deadlocks:
        found += [("auto: buffering matters, poe says no", o) for o in sorted(unlike)]
    return found


def has_polls(scenario):
    return any(t.kind in POLLS for line in scenario.lines for t in line)


def polls_in_a_line(scenario):
    return any(sum(t.kind in POLLS for t in line) > 1 for line in scenario.lines)


def looped(options, scenarios, wanted, totals):
    """The differences where all polls of a rank are at one place, as in a loop: what is not told to be cut
    must be there."""
    answers = (
        {m: poe_program.run(options.program, m, [str(s) for s in scenarios], ["--one-poll"]) for m in MODES}
        if scenarios
        else {}
    )
    found = []
    for n, scenario in enumerate(scenarios):
        by_mode = {m: answers[m][n] for m in MODES}
        totals.loops += 1
        totals.cut += any(a.cut for a in by_mode.values())
        found.append(
            [
                (f"loop: {kind}", text)
                for kind, text in judge(wanted[n], by_mode, scenario.may_be_twice())
                if "auto" not in kind
            ]
        )
    return found


def compare(options, scenarios, totals):
    """The differences of each scenario."""
    begin = time.monotonic()
    kept, wanted = [], []
    for k, scenario in enumerate(scenarios):
        try:
            wanted.append({m: reference.outcomes(scenario, m, limit=options.limit) for m in MODES})
            kept.append(k)
        except reference.TooBig:
            totals.skipped += 1
    middle = time.monotonic()
    texts = [str(scenarios[k]) for k in kept]
    extra = ["--runs"] + (["--threads", str(options.threads)] if options.threads else [])
    by_mode = {m: poe_program.run(options.program, m, texts, extra) for m in MODES} if texts else {}
    totals.poe_s += time.monotonic() - middle
    restored_at = time.monotonic()
    restored = (
        {m: poe_program.run(options.program, m, texts, extra + ["--restore"]) for m in MODES} if texts else {}
    )
    totals.restoring_s += time.monotonic() - restored_at
    merging = {m: poe_program.run(options.program, m, texts, ["--merge"]) for m in MODES} if texts else {}
    totals.reference_s += middle - begin
    differences = [[] for _ in scenarios]
    for n, k in enumerate(kept):
        answers = {m: by_mode[m][n] for m in MODES}
        differences[k] = judge(wanted[n], answers, scenarios[k].may_be_twice())
        for m in MODES:
            if not answers[m].error:
                differences[k] += same_runs(m, answers[m], restored[m][n])
        merged = {m: merging[m][n] for m in MODES}
        differences[k] += [
            (f"merged: {kind}", text) for kind, text in judge(wanted[n], merged, scenarios[k].may_be_twice())
        ]
        for m in MODES:
            if not answers[m].error and not merged[m].error:
                totals.runs += answers[m].interleavings + answers[m].redundant
                totals.merged_runs += merged[m].merged[0]
                totals.merged += merged[m].merged[1] > 0
                if not answers[m].cut and merged[m].interleavings != answers[m].interleavings:
                    differences[k].append(
                        (f"merged: {m} another number", f"{merged[m].interleavings} interleavings")
                    )
        if polls_in_a_line(scenarios[k]):
            differences[k] += looped(options, [scenarios[k]], [wanted[n]], totals)[0]
        totals.scenarios += 1
        totals.immaterial += wanted[n]["zero"] == wanted[n]["infinite"]
        totals.mattering += answers["zero"].matters
        for answer in answers.values():
            totals.outcomes += len(answer.outcomes)
            totals.deadlocks += answer.deadlocks
            totals.redundant += answer.redundant
    return differences


# ---- making it small ----


def without_name(line, name):
    """The line when the token with this name is gone, and whatever only made sense with it."""
    out, gone = [], {name}
    for token in line:
        token = token.copy()
        had, token.args = token.args, [a for a in token.args if a not in gone]
        if had and not token.args:
            gone.add(token.name or name)
            continue
        out.append(token)
    return out


def without_token(scenario, rank, index):
    small = scenario.copy()
    line = small.lines[rank]
    gone = line.pop(index)
    small.lines[rank] = without_name(line, gone.name) if gone.name else line
    return small


def without_rank(scenario, rank):
    small = sf.Scenario(scenario.ranks - 1)
    small.threads = [r - 1 if r > rank else r for r in scenario.threads if r != rank]
    lower = lambda r: r - 1 if r > rank else r
    small.comms = {
        c: [lower(m) for m in members if m != rank]
        for c, members in scenario.comms.items()
        if members != [rank]
    }
    small.sides = {
        c: [lower(m) for m in side if m != rank] for c, side in scenario.sides.items() if c in small.comms
    }
    small.scale = scenario.scale
    source = scenario.copy()
    for index in reversed(range(len(source.lines))):
        line = source.lines[index]
        for k in reversed(range(len(line))):
            if k < len(line) and line[k].peer == rank:
                source = without_token(source, index, k)
                line = source.lines[index]
    source.lines = [line for k, line in enumerate(source.lines) if source.rank_of(k) != rank]
    small.lines = source.lines
    for line in small.lines:
        for token in line:
            if token.peer is not sf.ANY:
                token.peer = lower(token.peer)
            token.sources = [
                s if s is sf.ANY else lower(s)
                for s in token.sources
                if s != rank or token.kind in sf.EXCHANGE
            ]
    return small


def without_comm(scenario, comm):
    """What is done on it is done in the world."""
    small = scenario.copy()
    del small.comms[comm]
    small.sides.pop(comm, None)
    small.lines = [
        [t for t in line if t.makes != comm and not (t.kind in sf.DROP and t.comm == comm)]
        for line in small.lines
    ]
    for line in small.lines:
        for token in line:
            token.comm = sf.WORLD if token.comm == comm else token.comm
    return small


SIMPLER = {
    "issend": "isend",
    "ibsend": "isend",
    "ssend": "send",
    "bsend": "send",
    "rsend": "send",
    "isend": "send",
    "irecv": "recv",
    "waitall": "wait",
    "waitsome": "waitany",
    "testall": "test",
    "testsome": "testany",
    "improbe": "mprobe",
    "iprobe": "probe",
    "imrecv": "mrecv",
    "irsend": "isend",
    "isendrecv": "sendrecv",
}


def smaller(scenario):
    """Everything that is one step smaller, most drastic first."""
    for rank in range(scenario.ranks):
        if scenario.ranks > 2:
            yield without_rank(scenario, rank)
    for rank, line in enumerate(scenario.lines):
        for index in range(len(line)):
            yield without_token(scenario, rank, index)
    for comm in scenario.comms:
        yield without_comm(scenario, comm)
    if scenario.scale > 1:
        small = scenario.copy()
        small.scale = 1
        yield small
    for rank, line in enumerate(scenario.lines):
        for index, token in enumerate(line):
            for change in changes(token):
                small = scenario.copy()
                small.lines[rank][index] = change
                if change.name != token.name and token.name:
                    small.lines[rank] = without_name(small.lines[rank], token.name)
                yield small


def changes(token):
    for arg in token.args if len(token.args) > 1 else []:
        change = token.copy()
        change.args.remove(arg)
        yield change
    if token.kind in SIMPLER and not (token.kind in ("waitall", "testall") and len(token.args) > 1):
        change = token.copy()
        change.kind = SIMPLER[token.kind]
        if token.kind in sf.REQUEST and change.kind not in sf.REQUEST:
            change.name = ""
        yield change
    if token.way:
        change = token.copy()
        change.way = ""
        yield change
    if token.tag != 0 and token.kind in sf.SENDS | sf.RECVS | sf.PROBES:
        change = token.copy()
        change.tag = 0
        yield change


def minimise(options, scenario, kinds):
    again, best = True, scenario
    while again:
        again = False
        for small in smaller(best):
            try:
                sf.check(small)
            except sf.Bad:
                continue
            found = compare(options, [small], Totals())[0]
            if kinds & {kind for kind, _ in found}:
                best, again = small, True
                break
    return best


def report(options, name, scenario, found):
    kinds = {kind for kind, _ in found}
    print(f"\n==== {name}: {', '.join(sorted(kinds))}")
    print(scenario, end="")
    for kind, text in found[:20]:
        print(f"  {kind}: {text}")
    if not options.no_minimise:
        small = minimise(options, scenario, kinds)
        print("---- minimised")
        print(small, end="")
        for kind, text in compare(options, [small], Totals())[0][:20]:
            print(f"  {kind}: {text}")
    print(f"---- again: random_scenarios.py {name}", flush=True)


# ---- running ----


def job(work):
    options, names, scenarios = work
    if scenarios is None:
        maker = (
            random_threads
            if options.of_threads
            else random_cancels
            if options.of_cancels
            else random_scenarios
        )
        scenarios = [maker.scenario(options.seed, k) for k in names]
        of = " --of-threads" if options.of_threads else " --of-cancels" if options.of_cancels else ""
        names = [f"--seed {options.seed} --only {k}{of}" for k in names]
    totals = Totals()
    found = compare(options, scenarios, totals)
    return totals, [(n, s, f) for n, s, f in zip(names, scenarios, found) if f]


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
    parser.add_argument("--of-threads", action="store_true", help="scenarios of ranks with several threads")
    parser.add_argument("--of-cancels", action="store_true", help="scenarios in which receives are cancelled")
    parser.add_argument("--threads", type=int, default=0, help="for poe-scenario")
    parser.add_argument("--limit", type=int, default=20000, help="states after which the reference gives up")
    parser.add_argument("--show", type=int, default=3, help="how many of those that differ to print")
    parser.add_argument("--no-minimise", action="store_true")
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

    totals, differ, shown = Totals(), 0, 0
    begin = time.monotonic()
    with multiprocessing.Pool(options.jobs) as pool:
        for part, bad in pool.imap(job, work):
            totals.add(part)
            for name, scenario, found in bad:
                differ += 1
                if shown < options.show:
                    shown += 1
                    report(options, name, scenario, found)
    seconds = time.monotonic() - begin
    runs = totals.outcomes + totals.redundant
    print(
        f"{totals.outcomes} outcomes ({totals.deadlocks} deadlocks), {totals.redundant} redundant runs "
        f"({100 * totals.redundant / max(runs, 1):.1f} % of all), {totals.skipped} skipped as too big"
    )
    print(
        f"buffering changes the outcomes of {totals.scenarios - totals.immaterial}, poe says it may of "
        f"{totals.mattering}"
    )
    print(f"merging: {totals.merged_runs} runs instead of {totals.runs}, {totals.merged} explorations merge")
    print(f"{totals.loops} with several polls of a rank; at one place, {totals.cut} of them were cut")
    print(
        f"{seconds:.1f} s; reference {totals.reference_s:.1f} s, poe {totals.poe_s:.1f} s, "
        f"restoring {totals.restoring_s:.1f} s of processor time"
    )
    print(f"{totals.scenarios} scenarios, {differ} differ")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()

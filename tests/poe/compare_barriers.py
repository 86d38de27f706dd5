#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Barriers that poe calls irrelevant, against brute force: the reference finds the outcomes of random
scenarios with and without them, which must be the same.

Each barrier is judged by itself, and all barriers of a scenario as if they were at one call site
(--one-site). As isp does, nothing is claimed of a scenario that deadlocks or has redundant runs, nor of what
the clocks do not tell; and infinite buffering is looked at if the runs with zero buffering say that it
matters. Of the barriers that are said to matter it is counted how many really change the outcomes: a barrier
may matter for an order that shows in no outcome of its own.

usage: compare_barriers.py POE_SCENARIO [--seed S] [--count N] [--jobs J] [--one-of K]
"""

import argparse
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile

import poe_program
import random_scenarios
import reference
import scenario_file as sf

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import week  # noqa: E402

MODES = ("zero", "infinite")
PLACE = re.compile(r"(\d+)\.(\d+)")
BATCH = 50
COUNTS = ("scenarios", "irrelevant", "matter", "change", "unclaimed", "wrong")


def scenario(seed, k):
    """One with blocking barriers, mostly few messages and many wildcards."""
    rng = random.Random(f"barriers {seed}.{k}")
    for attempt in range(200):
        made = random_scenarios.scenario(f"b{seed}.{k}", attempt, ["barrier"], locks=False)
        for line in made.lines:
            for token in line:
                if token.kind == "ibarrier" and not token.name and rng.random() < 0.5:
                    token.kind = "barrier"
        try:
            sf.check(made)
        except sf.Bad:
            continue
        if any(t.kind == "barrier" for line in made.lines for t in line):
            return made
    return None


def groups_of(lines):
    """What poe-scenario says of barriers: (matters, [(rank, token)]), or None: nothing."""
    if "-b unclear" in lines:
        return None
    groups = []
    for line in lines:
        if line.startswith("-b "):
            _, word, *places = line.split()
            groups.append((word == "matters", [tuple(map(int, p.split("."))) for p in places]))
    return groups


def ask(program, scenarios, mode, extra):
    """Per scenario: its Answer, and what is said of its barriers."""
    with tempfile.NamedTemporaryFile("w", suffix=".scn", encoding="ascii") as file:
        file.write("---\n".join(map(str, scenarios)))
        file.flush()
        done = subprocess.run(
            [program, "--mode", mode, "--barriers", *extra, file.name],
            text=True,
            capture_output=True,
            timeout=300,
            check=True,
        )
    blocks = [b.splitlines() for b in re.split(r"(?m)^(?=== )", done.stdout) if b]
    return [
        (poe_program.read("\n".join(l for l in b if not l.startswith("-b")))[0], groups_of(b)) for b in blocks
    ]


def without(made, places):
    """The scenario without these tokens, and where each of its tokens was before."""
    small, old = made.copy(), {}
    for rank, line in enumerate(made.lines):
        kept = [k for k in range(len(line)) if (rank, k) not in places]
        small.lines[rank] = [line[k].copy() for k in kept]
        old.update({(rank, new): (rank, k) for new, k in enumerate(kept)})
    return small, old


def renamed(outcomes, old):
    """`old`: as `without` gives it. A number behind an = is no place."""

    def place(found):
        return "%d.%d" % old[int(found[1]), int(found[2])]

    return {PLACE.sub(place, o) for o in outcomes}


def differs(made, places, before):
    small, old = without(made, places)
    for mode in MODES:
        after = renamed(reference.outcomes(small, mode, limit=200000), old)
        if after != before[mode]:
            return (
                f"{mode}: with {sorted(before[mode] - after)[:3]}, without {sorted(after - before[mode])[:3]}"
            )
    return None


def judge(made, zero, infinite, all_at_once, counts):
    """The claims of one scenario that are wrong."""
    (answer, groups), (more, more_groups) = zero, infinite
    modes = [zero, infinite] if answer.matters else [zero]
    if answer.error or any(a.deadlocks or a.redundant or g is None for a, g in modes):
        counts["unclaimed"] += 1
        return []
    barriers = {
        (r, k) for r, line in enumerate(made.lines) for k, t in enumerate(line) if t.kind == "barrier"
    }
    if all_at_once:
        groups = [(any(m for m, _ in groups), barriers)] if groups else []
        more_groups = [(any(m for m, _ in more_groups), barriers)]
    if not groups:
        return []
    before = {m: reference.outcomes(made, m, limit=200000) for m in MODES}
    wrong = []
    for matters, places in groups:
        if answer.matters:
            matters = matters or any(m for m, p in more_groups if set(p) & set(places))
        difference = differs(made, set(places), before)
        counts["matter" if matters else "irrelevant"] += 1
        counts["change"] += matters and difference is not None
        if difference and not matters:
            wrong.append(f"irrelevant: {sorted(places)}: {difference}")
    return wrong


def batch(work):
    program, seed, first, count = work
    counts, wrong = dict.fromkeys(COUNTS, 0), []
    scenarios = [s for s in (scenario(seed, k) for k in range(first, first + count)) if s]
    for all_at_once, extra in ((False, []), (True, ["--one-site"])):
        zero, infinite = (ask(program, scenarios, m, extra) for m in MODES)
        for made, z, i in zip(scenarios, zero, infinite):
            try:
                wrong += [f"{made}{w}\n" for w in judge(made, z, i, all_at_once, counts)]
            except reference.TooBig:
                counts["unclaimed"] += 1
    counts["scenarios"], counts["wrong"] = len(scenarios), len(wrong)
    return counts, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument(
        "--one-of",
        type=int,
        default=1,
        metavar="K",
        help="only the K-th part of them whose turn it is this week (../week.py)",
    )
    options = parser.parse_args()
    numbers = week.part(range(options.count), options.one_of)
    if options.one_of > 1:
        print(f"scenarios {numbers.start} to {numbers.stop - 1}: {week.told(len(numbers), options.count)}")
    work = [(options.program, options.seed, k, min(BATCH, numbers.stop - k)) for k in numbers[::BATCH]]
    totals, wrong = dict.fromkeys(COUNTS, 0), []
    with multiprocessing.Pool(options.jobs) as pool:
        for counts, some in pool.imap_unordered(batch, work):
            wrong += some
            for name in COUNTS:
                totals[name] += counts[name]
    print("\n".join(wrong[:5]))
    print(
        f"{totals['scenarios']} scenarios, judged twice: {totals['irrelevant']} groups of barriers "
        f"irrelevant, of which "
        f"{totals['wrong']} change the outcomes; {totals['matter']} that matter, "
        f"of which {totals['change']} do; "
        f"{totals['unclaimed']} times nothing was claimed"
    )
    vacuous = not totals["irrelevant"] or not totals["change"]
    return 1 if wrong or vacuous else 0


if __name__ == "__main__":
    sys.exit(main())

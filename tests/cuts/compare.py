#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares cuts/ with poe, held at limits, on random runs of random scenarios (compare.c).

usage: compare.py CUTS_COMPARE [--seed S] [--count N] [--first K] [--runs R] [--one-of K] [--jobs J]
                  [--of-cancels]
"""

import argparse
import multiprocessing
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "poe"), os.path.join(HERE, "..")]
import random_cancels  # noqa: E402
import random_scenarios  # noqa: E402
import week  # noqa: E402

BATCH = 50
FIELDS = ("runs", "deadlocks", "comparisons", "plays", "differences")


def batch(job):
    """The figures of some scenarios, and what differs."""
    options, numbers = job
    make = (
        (lambda k: random_cancels.scenario(options.seed, k))
        if options.of_cancels
        else (lambda k: random_scenarios.scenario(options.seed, k, locks=False))
    )
    texts = [str(make(k)) for k in numbers]
    figures, found = dict.fromkeys(FIELDS, 0), []
    for mode in "zero", "infinite":
        answer = subprocess.run(
            [options.program, "--mode", mode, "--seed", str(options.seed), "--runs", str(options.runs), "-"],
            input="---\n".join(texts),
            capture_output=True,
            text=True,
        )
        totals = re.search(r"^-- (.*)$", answer.stdout, re.M)
        if not totals:
            return figures, [
                f"{mode}: {answer.stderr.strip() or answer.returncode}: {numbers[0]} to {numbers[-1]}"
            ]
        words = totals[1].split()
        for name, value in zip(words[::2], words[1::2]):
            figures[name] += int(value)
        for line in answer.stdout.splitlines():
            if line.startswith("differs:"):
                number = int(re.search(r"#(\d+)", line)[1])
                found.append(f"number {numbers[number]}: {line}\n{texts[number]}")
    return figures, found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--runs", type=int, default=1, help="of each scenario, in each mode")
    parser.add_argument(
        "--one-of", type=int, default=1, help="compare one batch of so many, another one each week"
    )
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--of-cancels", action="store_true")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.count)
    batches = [numbers[k : k + BATCH] for k in range(0, len(numbers), BATCH)]
    batches = week.part(batches, options.one_of)
    totals, differ = dict.fromkeys(FIELDS, 0), []
    with multiprocessing.Pool(options.jobs) as pool:
        for figures, found in pool.imap_unordered(batch, [(options, b) for b in batches]):
            for name in FIELDS:
                totals[name] += figures[name]
            differ += found
    print("\n".join(differ[:20]))
    print(" ".join(f"{name} {totals[name]}" for name in FIELDS))
    sys.exit(1 if differ or not totals["runs"] else 0)


if __name__ == "__main__":
    main()

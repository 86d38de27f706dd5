#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random programs whose calls do not depend on what matches (random_machines.py), of which isp may run one
interleaving, or may stop at the first error, with merging: it finds a deadlock if and only if the search of
all interleavings does, and says that none is predicted only where there is none.

usage: compare_predicted.py ISP MACHINE [--seed S] [--count N] [--first K] [--jobs J] [--one-of K]
"""

import concurrent.futures
import subprocess
import sys

import compare_random
import random_machines

STUCK = {"deadlock", "unsafe-buffering"}
WAYS = (["--max-interleavings", "1"], ["--stop-at-first"], ["--max-interleavings", "3"])


def stuck(result):
    return any(f["rule"] in STUCK for f in result["findings"])


def one(work):
    """(number, program, words, whether it can deadlock, in which runs that was found, what is wrong)"""
    options, k = work
    program = random_machines.program(options.seed, k, static=True)
    words = [f"--buffering={('zero', 'infinite')[k % 2]}", *WAYS[k % len(WAYS)]]
    try:
        whole = compare_random.whole_search(options, program, words[:1])
        bounded = compare_random.explore(options, program, *words)
    except subprocess.TimeoutExpired:
        return None
    if not whole.result or not bounded.result:
        return k, program, words, False, [], (whole.text + bounded.text)[-400:]
    if compare_random.is_cut(whole.result):
        return None
    wrong, can = "", stuck(whole.result)
    at_another = "--stop-at-first" in words and compare_random.errors(bounded.result)
    if can != stuck(bounded.result) and not (can and at_another):
        wrong = f"{'missed' if can else 'invented'}: {bounded.text[-600:]}"
    if can and bounded.result["no_deadlock_predicted"]:
        wrong += "it said that there is none"
    found = [f["interleaving"] for f in bounded.result["findings"] if f["rule"] in STUCK]
    return k, program, words, can, found, wrong


def main():
    options, numbers = compare_random.arguments(__doc__)
    n = deadlocking = late = differ = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for answer in pool.map(one, [(options, k) for k in numbers]):
            if not answer:
                continue
            k, program, words, can, found, wrong = answer
            n += 1
            deadlocking += can
            late += any(name not in ("0", None) for name in found)
            if wrong:
                differ += 1
                print(f"==== --seed {options.seed} --first {k} --count 1: {wrong}")
                told = f"-n {program.ranks} -- {options.machine} memories {program.home} '{program}'"
                print(" ".join(words), told, flush=True)
    print(f"{n} programs, {deadlocking} can deadlock, {late} of them not in the first run; {differ} differ")
    sys.exit(1 if differ or not n else 0)


if __name__ == "__main__":
    main()

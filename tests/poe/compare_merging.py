#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The search that merges states (poe/states.h) against the one that does not, which compare.py compares with
the reference, on random scenarios in which states come up again (random_crowds.py).

The programs forget what they have received, so as much is merged as can be. Each outcome that the whole
search shows must be shown once: by a run, or by a run up to a state that is known and what is below. That
buffering matters, or that a bound cuts, may be claimed where it is not so, but never missed.

With --mixed the deadlocks of mixed buffering are compared, each as often as it is shown, on scenarios that
have some.

With --of-cancels a receive of each is cancelled (random_cancels.py).

With --reference the outcomes are also compared with those of the reference, where it is not too big for that.

usage: compare_merging.py POE_SCENARIO [--seed S] [--count N] [--first K] [--jobs J] [--one-of K]
                          [--reference] [--mixed | --of-cancels]
"""

import argparse
import multiprocessing
import os
import sys

import poe_program
import random_cancels
import random_crowds
import reference

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import week  # noqa: E402

BATCH = 20
MOST = 3000  # interleavings of a scenario
MOST_MIXED = 400  # ... each of which is looked at for mixed buffering
TOTALS = ("searches", "whole", "runs", "merging", "claims", "reference", "mixed", "known")
SMALL_TABLE = ["--most-bytes", "70000"]  # bytes: some states are kept, and others are not


def mixed(answer):
    """Its deadlocks with mixed buffering, without what must be buffered; and what is said of bounds."""
    return sorted(line.partition(": ")[2] for line in answer.mixed)


def differences(a, b, what):
    wrong = [f"missing {what}: {o}" for o in sorted(set(a) - set(b))]
    wrong += [f"invented {what}: {o}" for o in sorted(set(b) - set(a))]
    if not wrong and a != b:
        wrong.append(f"{len(b)} of {what} instead of {len(a)}")
    return wrong


def judge(whole, merged):
    """What is wrong, as lines."""
    if merged.error:
        return [merged.error]
    wrong = differences(sorted(whole.outcomes), sorted(merged.outcomes), "interleavings")
    wrong += differences(mixed(whole), mixed(merged), "mixed deadlocks")
    if whole.matters and not merged.matters:
        wrong.append("that buffering matters is missed")
    if whole.cut and not merged.cut:
        wrong.append("that a bound has cut something is missed")
    return wrong


def job(work):
    options, numbers = work
    scenarios = [
        random_cancels.crowd(options.seed, k)
        if options.of_cancels
        else random_crowds.scenario(options.seed, k, options.mixed)
        for k in numbers
    ]
    texts = [str(s) for s in scenarios]
    found, totals = [], dict.fromkeys(TOTALS, 0)
    for mode in ("infinite",) if options.mixed else ("zero", "infinite"):
        words = ["--mixed"] if options.mixed else []
        most = str(MOST_MIXED if options.mixed else MOST)
        whole = poe_program.run(options.program, mode, texts, ["--most", most, *words])
        kept = [k for k, answer in enumerate(whole) if not answer.error]
        some = [texts[k] for k in kept]
        if not some:
            continue
        for extra in ([], SMALL_TABLE):
            for k, merged in zip(
                kept, poe_program.run(options.program, mode, some, ["--merge", *extra, *words])
            ):
                wrong = judge(whole[k], merged)
                totals["searches"] += 1
                totals["whole"] += whole[k].interleavings + whole[k].redundant
                totals["runs"] += merged.merged[0] if merged.merged else 0
                totals["merging"] += bool(merged.merged and merged.merged[1])
                totals["mixed"] += len(whole[k].mixed)
                totals["known"] += sum(line.startswith("-m known") for line in merged.mixed)
                totals["claims"] += merged.matters and not whole[k].matters
                if wrong:
                    found.append((numbers[k], mode, extra, wrong, texts[k]))
        for k in kept if options.reference else ():
            try:
                wanted = reference.outcomes(scenarios[k], mode, limit=20000)
            except reference.TooBig:
                continue
            totals["reference"] += 1
            unlike = wanted ^ set(whole[k].outcomes)
            if unlike and not whole[k].cut:
                found.append((numbers[k], mode, "the reference", sorted(unlike), texts[k]))
    return found, totals


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--one-of", type=int, default=1, metavar="K", help="a part of them (../week.py)")
    parser.add_argument("--reference", action="store_true")
    parser.add_argument("--mixed", action="store_true", help="deadlocks with mixed buffering, too")
    parser.add_argument("--of-cancels", action="store_true", help="a receive of each is cancelled")
    options = parser.parse_args()
    numbers = list(week.part(range(options.first, options.first + options.count), options.one_of))
    work = [(options, numbers[k : k + BATCH]) for k in range(0, len(numbers), BATCH)]
    differ, sums = 0, {}
    with multiprocessing.Pool(options.jobs) as pool:
        for found, totals in pool.imap(job, work):
            for name, value in totals.items():
                sums[name] = sums.get(name, 0) + value
            for k, mode, extra, wrong, text in found:
                differ += 1
                if differ <= 3:
                    print(
                        f"==== scenario {k} of seed {options.seed}, {mode} {extra}",
                        *wrong[:8],
                        text,
                        sep="\n",
                    )
    print(
        f"{sums['searches']} searches, {sums['runs']} runs instead of {sums['whole']}; "
        f"{sums['merging']} merge; {sums['claims']} claim more of buffering; "
        f"{sums['reference']} compared with the reference; "
        f"{sums['mixed']} mixed deadlocks, {sums['known']} of them known"
    )
    print(f"{differ} differ")
    sys.exit(1 if differ or sums["merging"] < sums["searches"] / 10 else 0)


if __name__ == "__main__":
    main()

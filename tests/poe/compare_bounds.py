#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The search under bounds against the whole search (which compare.py compares with the reference), on random
scenarios.

Random walks that go on to their end make the same runs in another order; the first N of them are what
--sample N makes; going on from saved states changes nothing. Bounded mixing and loops make some of the runs:
with --mix 0 those that take one decision otherwise, with --mix K + 1 all those of K, with a large K all. If
nothing is said to be left out, nothing is; and the estimate of what was explored whole is its size.

usage: compare_bounds.py POE_SCENARIO [--seed S] [--count N]
"""

import argparse
import sys

import poe_program
import random_scenarios

BATCH = 50
MANY = 10**6
MIXES = (0, 1, 2, 1000)


def name_of(run):
    return run.split()[1]


def changes(name):
    """How many decisions are not 0."""
    count = 0
    for part in name.split("."):
        choice, _, times = part.partition("*")
        count += int(times or 1) if choice != "0" else 0
    return count


def some_of(title, answer, whole, left_out):
    """What is wrong with a search that was to make some of the runs."""
    if answer.error:
        return [f"{title}: {answer.error}"]
    wrong = [
        f"{title}: not in the whole search: {run}"
        for run in sorted(set(map(name_of, answer.runs)) - set(map(name_of, whole.runs)))
    ]
    wrong += [f"{title}: invented: {o}" for o in sorted(set(answer.outcomes) - set(whole.outcomes))]
    if not left_out and sorted(answer.outcomes) != sorted(whole.outcomes):
        wrong.append(
            f"{title}: {len(answer.outcomes)} of {len(whole.outcomes)} outcomes, "
            f"and nothing is said to be left out"
        )
    if not left_out and abs(answer.left_out[2] - len(whole.outcomes)) > 1e-6:
        wrong.append(
            f"{title}: all explored, and the estimate is {answer.left_out[2]} for {len(whole.outcomes)}"
        )
    return wrong


def judge(answers):
    """What is wrong, as lines; answers: by the words of the options."""
    whole, walks = answers["whole"], answers["walks"]
    if whole.error:
        return [whole.error]
    wrong = some_of("walks", walks, whole, 0)
    if sorted(walks.runs) != sorted(whole.runs):
        wrong.append("walks: other runs than the whole search")
    if (walks.runs, walks.outcomes) != (answers["restored walks"].runs, answers["restored walks"].outcomes):
        wrong.append("walks: others when states are restored")
    if answers["3 walks"].outcomes != walks.outcomes[:3]:
        wrong.append("3 walks: not the first 3")
    runs = set()
    for k in MIXES:
        mixed = answers[f"mix {k}"]
        wrong += some_of(f"mix {k}", mixed, whole, mixed.left_out and mixed.left_out[0])
        names = set(map(name_of, mixed.runs))
        wrong += [f"mix {k}: lacks {name}" for name in sorted(runs - names)]
        wrong += [f"mix {k}: {name}" for name in sorted(names) if k == 0 and changes(name) > 1]
        runs = names
    if answers[f"mix {MIXES[-1]}"].left_out[0]:
        wrong.append(f"mix {MIXES[-1]}: leaves something out")
    loop = answers["loop"]
    return wrong + some_of("loop", loop, whole, loop.left_out and loop.left_out[1])


def searches(seed):
    all_walks = ["--sample", str(MANY), "--seed", str(seed)]
    found = {
        "whole": [],
        "walks": all_walks,
        "restored walks": all_walks + ["--restore"],
        "3 walks": ["--sample", "3", "--seed", str(seed)],
        "loop": ["--loop", "0"],
    }
    found.update({f"mix {k}": ["--mix", str(k)] for k in MIXES})
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=600)
    options = parser.parse_args()
    failed = bounded = looped = total = 0
    for first in range(0, options.count, BATCH):
        made = [
            random_scenarios.scenario(options.seed, k)
            for k in range(first, min(first + BATCH, options.count))
        ]
        texts = [str(scenario) for scenario in made]
        for mode in ("zero", "infinite"):
            by_words = {
                words: poe_program.run(options.program, mode, texts, ["--runs", *extra])
                for words, extra in searches(options.seed + first).items()
            }
            for k, text in enumerate(texts):
                answers = {words: them[k] for words, them in by_words.items()}
                wrong = judge(answers)
                total += 1
                bounded += not wrong and answers["mix 0"].left_out[0] > 0
                looped += not wrong and answers["loop"].left_out[1] > 0
                if wrong:
                    failed += 1
                    print(
                        f"FAIL scenario {first + k} of seed {options.seed}, {mode}:",
                        *wrong[:5],
                        text,
                        sep="\n",
                    )
    print(f"{total} searches, {bounded} bounded by --mix 0, {looped} by a loop; {failed} failed")
    sys.exit(1 if failed or not bounded or not looped else 0)


if __name__ == "__main__":
    main()

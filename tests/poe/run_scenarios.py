#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks each scenario file against poe-scenario, exactly.

For each `expect MODE` line: the numbers of interleavings and deadlocks; no outcome twice (where it may be,
see Scenario.may_be_twice, it counts once); the set of outcomes equal to the reference's (unless `#
no-reference`) and, if the file lists them (`#= MODE OUTCOME`), to the listed one. And what `auto` builds on,
as in compare.py. --reference-only checks the files themselves, without poe.

usage: run_scenarios.py POE_SCENARIO|--reference-only [--threads T] [FILE...]
"""

import argparse
import glob
import os
import sys

import poe_program
import reference
import scenario_file as sf
import visits


def counts(outcomes):
    return len(outcomes), sum(map(poe_program.is_deadlock, outcomes))


def same(complaints, mode, title, want, got):
    complaints += [f"{mode}: {title}: missing: {o}" for o in sorted(want - got)]
    complaints += [f"{mode}: {title}: extra: {o}" for o in sorted(got - want)]


def check_mode(scenario, mode, answer):
    """What is wrong, as lines. answer is None without poe."""
    complaints = []
    listed = scenario.outcomes.get(mode)
    known = None
    if not scenario.no_reference and mode != "auto":
        known = reference.outcomes(scenario, mode)
        if counts(known) != scenario.expect[mode]:
            complaints.append(f"{mode}: expected {scenario.expect[mode]}, the reference has {counts(known)}")
        if listed is not None:
            same(complaints, mode, "reference against listed", listed, known)
    if answer is None:
        return complaints
    if answer.error:
        return complaints + [f"{mode}: {answer.error}"]
    got = set(answer.outcomes)
    shown = sorted(got) if scenario.may_be_twice() else answer.outcomes
    if counts(shown) != scenario.expect[mode]:
        complaints.append(
            f"{mode}: expected {scenario.expect[mode]}, poe has {counts(shown)} " "(interleavings, deadlocks)"
        )
    matters = scenario.matters.get(mode, answer.matters)
    if matters != answer.matters:
        complaints.append(f"{mode}: buffering matters: expected {matters}, poe says {answer.matters}")
    complaints += [f"{mode}: twice: {o}" for o in sorted(got) if shown.count(o) > 1]
    if known is not None:
        same(complaints, mode, "poe against reference", known, got)
    if listed is not None:
        same(complaints, mode, "poe against listed", listed, got)
    return complaints


def check_auto(zero, infinite):
    """Runs without buffers that do not deadlock must say if buffers would show more."""
    if not zero or not infinite or zero.error or infinite.error or zero.deadlocks or zero.matters:
        return []
    more = sorted(
        {visits.without_waits(o) for o in zero.outcomes}
        ^ {visits.without_waits(o) for o in infinite.outcomes}
    )
    return [f"auto: zero says that buffering does not matter, but: {o}" for o in more]


def check_file(program, extra, file):
    with open(file, encoding="ascii") as stream:
        text = stream.read()
    complaints = []
    for part in sf.split(text):
        try:
            scenario = sf.parse(part)
        except sf.Bad as bad:
            return [f"bad scenario: {bad}"]
        if not scenario.expect:
            complaints.append("no expect line")
        if scenario.outcomes.keys() - scenario.expect.keys():
            complaints.append("outcomes listed for a mode without expect line")
        answers = {}
        for mode in scenario.expect:
            answers[mode] = poe_program.run(program, mode, [part], extra)[0] if program else None
            complaints += check_mode(scenario, mode, answers[mode])
        complaints += check_auto(answers.get("zero"), answers.get("infinite"))
    return complaints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--reference-only", action="store_true")
    parser.add_argument("--threads", type=int, default=0, help="for poe-scenario")
    options = parser.parse_args()
    files = options.files
    if options.reference_only and options.program:
        files, options.program = [options.program, *files], None
    elif not options.program and not options.reference_only:
        parser.error("which poe-scenario?")
    here = os.path.dirname(os.path.abspath(__file__))
    files = files or sorted(glob.glob(os.path.join(here, "scenarios", "*.scn")))
    extra = ["--threads", str(options.threads)] if options.threads else []
    failed = 0
    for file in files:
        complaints = check_file(options.program, extra, file)
        failed += bool(complaints)
        print(f"{'FAIL' if complaints else 'ok  '} {os.path.basename(file)}")
        for line in complaints[:30]:
            print(f"     {line}")
    print(f"{len(files)} files, {failed} failed")
    sys.exit(1 if failed or not files else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The critical choices that isp names, against their definition.

Usage: critical.py ISP BUILD_DIR

The trace of an exploration has all interleavings by name, and how they ended. Of a finding that ends its
interleaving (a deadlock, a failed assertion, a crash) the critical choice is where its interleaving parts at
last from one that finished. The result must say that one, in all modes the same; and to replay the
interleaving that it names must not show the finding.
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike_findings  # noqa: E402

PROGRAMS = [
    ("umpire-suite/any_src-can-deadlock", 3),
    ("umpire-suite/any_src-can-deadlock3", 3),
    ("umpire-suite/probe-any_src-can-deadlock1", 3),
    ("tests/programs/two_causes", 4),
    ("tests/programs/one_cause", 4),
    ("tests/programs/third_sender", 4),
    ("tests/programs/waitany_first_0", 3),
    ("tests/programs/segfault_sometimes", 3),
    ("tests/scheduler/orders deadlock", 4),
    ("tests/scheduler/orders two", 4),
]
ENDS_RUNS = {"deadlock", "unsafe-buffering", "assertion", "crash"}
MODES = [], ["-j", "2"], ["--no-checkpoints"]
LIMIT_S = 100


def decisions(name, length):
    """0.2*3.1 as numbers."""
    numbers = []
    for part in name.split("."):
        number, _, times = part.partition("*")
        numbers += [int(number)] * int(times or 1)
    return numbers + [0] * (length - len(numbers))


def parting(a, b):
    length = max(len(decisions(name, 0)) for name in (a, b))
    pairs = enumerate(zip(decisions(a, length), decisions(b, length)))
    return next((i for i, (x, y) in pairs if x != y), None)


class Program:
    def __init__(self, isp, words, ranks, folder):
        self.isp, self.words, self.ranks = isp, words, ranks
        self.json, self.trace = os.path.join(folder, "r.json"), os.path.join(folder, "t.isp")

    def run(self, *options):
        subprocess.run(
            [
                self.isp,
                "-q",
                "--output=none",
                "--json",
                self.json,
                *options,
                "-n",
                str(self.ranks),
                "--",
                *self.words,
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
        with open(self.json, encoding="utf-8") as stream:
            return alike_findings(json.load(stream)["findings"])

    def replayed(self, finding, choices):
        buffering = ["--buffering=infinite"] if finding["buffered"] else []
        done = subprocess.run(
            [
                self.isp,
                "replay",
                "-q",
                "--output=none",
                "--json",
                self.json,
                *buffering,
                "--choices",
                choices,
                "-n",
                str(self.ranks),
                "--",
                *self.words,
            ],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
        with open(self.json, encoding="utf-8") as stream:
            assert done.returncode in (0, 1, 3)
            return {f["rule"] for f in json.load(stream)["findings"]}

    def finished(self):
        """Their names, by whether sends were buffered."""
        names = {False: [], True: []}
        with sqlite3.connect(self.trace) as trace:
            for name, buffered in trace.execute(
                "SELECT name, buffered FROM interleaving WHERE ending = 'finished'"
            ):
                names[bool(buffered)].append(name)
        return names


def check(program):
    """How many findings have a critical choice."""
    findings = program.run("--trace", program.trace)
    finished, n = program.finished(), 0
    for options in MODES[1:]:
        assert program.run(*options) == findings, f"another result with {options}"
    for f in findings:
        if f["rule"] not in ENDS_RUNS:
            continue
        partings = [(parting(f["interleaving"], name), name) for name in finished[f["buffered"]]]
        choice = f["critical"]
        if not partings:
            assert choice is None, choice
            continue
        assert choice, f"{f['message']}: none is named, of {partings}"
        assert choice["decision"] == max(partings)[0] == parting(f["interleaving"], choice["interleaving"]), (
            f,
            partings,
        )
        assert choice["interleaving"] in finished[f["buffered"]], (choice, finished)
        assert f["rule"] in program.replayed(f, f["interleaving"]), f["interleaving"]
        assert not program.replayed(f, choice["interleaving"]) & ENDS_RUNS, choice
        n += 1
    return n


def main():
    isp, build = map(os.path.abspath, sys.argv[1:3])
    named = failed = 0
    for words, ranks in PROGRAMS:
        first, *more = words.split()
        with tempfile.TemporaryDirectory() as folder:
            try:
                n = check(Program(isp, [os.path.join(build, first), *more], ranks, folder))
                print(f"ok {words}: {n} critical choices")
                named += n
            except AssertionError as error:
                failed += 1
                print(f"FAIL {words}: {error}")
    print(f"{named} critical choices, {failed} programs failed")
    return 1 if failed or named < len(PROGRAMS) - 2 else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Suppressions on whole programs: what is covered is gone from report, verdict, exit code and JSON, and is
counted.

usage: suppressing.py ISP BUILD_DIR
"""

import json
import os
import subprocess
import sys
import tempfile

HEAD = "isp-suppressions 1\n"
LEAKS = "tests/fortran/f08_leak"  # a communicator, a datatype and a group
GENERATED = [
    (LEAKS, 2),
    ("umpire-suite/dup_leaks", 3),
    ("umpire-suite/basic-deadlock", 2),
    ("tests/programs/exit_three", 2),
    ("umpire-suite/lost-request", 2),
    ("tests/programs/orphan_send", 2),
]


class Tester:
    def __init__(self, isp, build):
        self.isp, self.build, self.failed = os.path.abspath(isp), os.path.abspath(build), 0
        self.folder = tempfile.TemporaryDirectory(prefix="e2e-")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def file(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as stream:
            stream.write(text)
        return self.path(name)

    def run(self, program, ranks, *options, environment=None):
        """(exit code, JSON result or None, stderr)"""
        result = self.path("result.json")
        if os.path.exists(result):
            os.unlink(result)
        variables = {name: value for name, value in os.environ.items() if not name.startswith("ISP_")}
        done = subprocess.run(
            [self.isp, "-n", str(ranks), "--json", result, *options, "--", os.path.join(self.build, program)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            cwd=self.folder.name,
            env={**variables, **(environment or {})},
        )
        found = None
        if os.path.exists(result):
            with open(result, encoding="utf-8") as stream:
                found = json.load(stream)
        return done.returncode, found, done.stderr.decode(errors="replace")

    def expect(self, what, got, wanted):
        self.failed += got != wanted
        print(f"ok {what}" if got == wanted else f"FAIL {what}: {got!r}, expected {wanted!r}", flush=True)


def rules(result):
    return sorted(finding["rule"] for finding in result["findings"] if finding["severity"] != "note")


def test_one_of_three(t):
    one = t.file(
        "one.supp", HEAD + "{\n    kept on purpose\n    rule: leak-datatype\n    file:f08_leak.f90\n}\n"
    )
    code, result, said = t.run(LEAKS, 2, "--suppressions", one)
    t.expect("one: exit code", code, 1)
    t.expect("one: findings", rules(result), ["leak-communicator", "leak-group"])
    t.expect(
        "one: counted", (result["suppressed"], [block["used"] for block in result["suppressions"]]), (1, [1])
    )
    t.expect("one: said", "1 finding suppressed; 1 of 1 block used" in said, True)
    t.expect("one: not reported", "leak-datatype" in said, False)


def test_all_and_never(t):
    every = t.file("every.supp", HEAD + "{\n rule: leak-*\n}\n{\n not in this program\n rule: deadlock\n}\n")
    code, result, said = t.run(LEAKS, 2, "-v", "--suppressions", every)
    t.expect("all: exit code", code, 0)
    t.expect("all: verdict", (result["verdict"], result["suppressed"]), ("clean", 3))
    t.expect("all: used", f'{every}:2: "leak-*" covers 3 findings' in said, True)
    t.expect("all: never used", f'{every}:5: "not in this program" was never used' in said, True)
    code, result, _ = t.run(LEAKS, 2, environment={"ISP_SUPPRESSIONS": f"{t.path('one.supp')}:{every}"})
    t.expect("environment", (code, [block["used"] for block in result["suppressions"]]), (0, [1, 2, 0]))


def test_bad_file(t):
    bad = t.file("bad.supp", HEAD + "{\n rule: leak-*\n frame: main\n}\n")
    code, result, said = t.run(LEAKS, 2, "--suppressions", bad)
    t.expect("bad file", (code, result, said.count("\n")), (2, None, 1))
    t.expect("bad file: place", said.startswith(f"isp: suppressions: {bad}:4: "), True)


def test_generated(t):
    for program, ranks in GENERATED:
        code, result, said = t.run(program, ranks, "--gen-suppressions")
        t.expect(f"generate {program}", (code, rules(result) != []), (1, True))
        made = t.file("made.supp", said[said.index(HEAD) :])
        code, again, _ = t.run(program, ranks, "--suppressions", made)
        t.expect(
            f"generated for {program}",
            (code, again["verdict"], again["suppressed"]),
            (0, "clean", len(rules(result))),
        )
        t.expect(f"generated for {program}: used", {block["used"] for block in again["suppressions"]}, {1})


def test_one_block_for_a_place(t):
    """Two deadlocks at one place (tests/programs/two_causes.c): the block of one covers both."""
    _, result, said = t.run("tests/programs/two_causes", 4, "--gen-suppressions")
    made = said[said.index(HEAD) :]
    t.expect("two at one place", (rules(result), made.count("rule:")), (["deadlock", "deadlock"], 1))
    code, again, _ = t.run("tests/programs/two_causes", 4, "--suppressions", t.file("place.supp", made))
    t.expect("two at one place: covered", (code, again["suppressed"]), (0, 2))


def main():
    tester = Tester(*sys.argv[1:3])
    for test in (
        test_one_of_three,
        test_all_and_never,
        test_bad_file,
        test_generated,
        test_one_block_for_a_place,
    ):
        test(tester)
    return tester.failed > 0


if __name__ == "__main__":
    sys.exit(main())

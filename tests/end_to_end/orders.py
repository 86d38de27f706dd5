#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Why a search that was cut short is not complete: the call site that multiplies the interleavings, and an
option. The option is followed: then as many interleavings are left as were told. What is told after a part
of a search that merges states is less exact, and most of these programs would be explored to their end.

usage: orders.py ISP PROGRAM
"""

import json
import os
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "orders.c")

# what, ranks, the bound: (mark of the line, kind, factor, of), (option, leaves)
CASES = [
    ("farm", 9, 50, ("gathers", "receive", 40320, 40320), ("--mix 0", 29)),
    ("farm", 9, 150, ("gathers", "receive", 40320, 40320), ("--mix 1", 141)),
    ("polls", 3, 50, ("polls", "poll", 2**24, 2**25), ("--polls 0", 2)),
    ("pairs", 6, 100, ("gathers", "receive", 120, 960), ("--mix 2", 86)),
    ("mixed", 5, 30, ("takes", "receive", 256, 6144), ("--mix 0", 15)),
]


class Tester:
    def __init__(self, isp, program):
        self.isp, self.program, self.failed = os.path.abspath(isp), os.path.abspath(program), 0
        self.folder = tempfile.TemporaryDirectory(prefix="e2e-")
        with open(SOURCE, encoding="utf-8") as stream:
            lines = stream.read().split("\n")
        self.lines = {
            mark: 1 + next(i for i, line in enumerate(lines) if f"/* {mark} */" in line)
            for mark in ["gathers", "polls", "takes"]
        }

    def run(self, what, ranks, *options):
        """(JSON result, stderr)"""
        result = os.path.join(self.folder.name, "result.json")
        command = [self.isp, *(["-n", str(ranks)] if ranks else []), "--json", result, *options]
        command += ["--merge=off"] if ranks and not any("merge" in word for word in options) else []
        command += ["--", self.program, what] if ranks else []
        variables = {name: value for name, value in os.environ.items() if not name.startswith("ISP_")}
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            cwd=self.folder.name,
            env=variables,
        )
        with open(result, encoding="utf-8") as stream:
            return json.load(stream), done.stderr.decode(errors="replace")

    def expect(self, what, got, wanted):
        self.failed += got != wanted
        print(f"ok {what}" if got == wanted else f"FAIL {what}: {got!r}, expected {wanted!r}", flush=True)


def near(numbers, wanted):
    """As far as six digits tell."""
    return [number and abs(number - want) < 1e-4 * want for number, want in zip(numbers, wanted)]


def line_of(said):
    return [line for line in said.split("\n") if "most orders" in line]


def test_advice_holds(t):
    for what, ranks, bound, (mark, kind, factor, of), (option, leaves) in CASES:
        name = f"{what} {bound}"
        result, said = t.run(what, ranks, "--max-interleavings", str(bound))
        most = result["most_orders"] or {}
        t.expect(f"{name}: where", (most.get("line"), most.get("kind")), (t.lines[mark], kind))
        t.expect(f"{name}: how many", near((most.get("factor"), most.get("of")), (factor, of)), [True, True])
        t.expect(f"{name}: what helps", (most.get("option"), most.get("leaves")), (option, leaves))
        t.expect(f"{name}: the line", line_of(said), [f"isp: {most.get('words')}"])
        followed, said = t.run(what, ranks, *option.split())
        t.expect(f"{name}: {option} leaves as many", followed["interleavings"], leaves)
        t.expect(f"{name}: ... and ends", (followed["most_orders"], line_of(said)), (None, []))


def test_parts_say_the_same(t):
    """But for what is expected of jobs that nobody has begun."""
    for what, ranks, bound, (mark, kind, _, of), (option, _) in CASES[:3]:
        result, said = t.run(what, ranks, "--max-interleavings", str(bound), "-j", "2")
        most = result["most_orders"] or {}
        t.expect(f"{what} {bound}, -j 2: where", (most.get("line"), most.get("kind")), (t.lines[mark], kind))
        t.expect(f"{what} {bound}, -j 2: how many", of / 10 < (most.get("of") or 0) < of * 10, True)
        if what == "polls":
            t.expect(f"{what} {bound}, -j 2: what helps", most.get("option"), option)


def test_a_resumed_search_knows_it(t):
    """What was measured before is not lost: the first alternatives are not made again."""
    for what, ranks, bound, (mark, kind, factor, of), _ in CASES[:3]:
        saved = os.path.join(t.folder.name, "saved")
        t.run(what, ranks, "--max-interleavings", str(bound // 2), "--save", saved)
        result, said = t.run(what, None, "--resume", saved, "--max-interleavings", str(bound))
        most = result["most_orders"] or {}
        t.expect(f"{what} resumed: interleavings", result["interleavings"], bound)
        t.expect(f"{what} resumed: where", (most.get("line"), most.get("kind")), (t.lines[mark], kind))
        got = near((most.get("factor"), most.get("of")), (factor, of))
        t.expect(f"{what} resumed: how many", got, [True, True])


def test_with_states_merged(t):
    for what, ranks, bound, (mark, kind, _, of), _ in (CASES[0], CASES[4]):
        result, said = t.run(what, ranks, "--merge=auto", "--max-interleavings", str(bound // 2))
        most = result["most_orders"] or {}
        name = f"{what}, merged"
        t.expect(f"{name}: where", (most.get("line"), most.get("kind")), (t.lines[mark], kind))
        t.expect(f"{name}: how many", of / 10 < (most.get("of") or 0) < of * 10, True)
        t.expect(f"{name}: the line", line_of(said), [f"isp: {most.get('words')}"])


def test_nothing_to_say(t):
    result, said = t.run("farm", 4)
    t.expect("complete: no reason", (result["complete"], result["most_orders"]), (True, None))
    t.expect("complete: no line", line_of(said), [])
    result, said = t.run("farm", 4, "--max-interleavings", "5")
    t.expect("5 of 6: no reason", (result["complete"], result["most_orders"]), (False, None))
    t.expect("5 of 6: no line", line_of(said), [])
    result, said = t.run("farm", 5, "--sample", "5")
    t.expect("random walks: not measured", (result["complete"], result["most_orders"]), (False, None))
    t.expect("random walks: no line", line_of(said), [])


def main():
    t = Tester(*sys.argv[1:])
    for test in [value for name, value in sorted(globals().items()) if name.startswith("test_")]:
        test(t)
    return t.failed > 0


if __name__ == "__main__":
    sys.exit(main())

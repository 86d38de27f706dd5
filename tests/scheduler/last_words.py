#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where a rank dies, what the program has printed is there, whole and once, and what mpiexec says of it is
not: the report says it.

usage: last_words.py ISP DIES
"""

import subprocess
import sys

WAYS = ("segv", "abort", "kill", "_exit", "late")
LAUNCHERS = (
    "BAD TERMINATION",
    "=====",
    "YOUR APPLICATION",
    "This typically",
    "FAQ page",
    "[proxy",
    "[mpiexec",
)


def say(isp, program, how, replay):
    words = [isp, "replay", "-n", "3", "--choices", "1"] if replay else [isp, "-n", "3"]
    done = subprocess.run(
        [*words, "--", program, how], capture_output=True, text=True, timeout=100, check=False
    )
    for text in LAUNCHERS:
        assert text not in done.stdout + done.stderr, (how, replay, done.stdout, done.stderr)
    assert done.stdout.rstrip("\n") == "\n====\nlast words", (how, replay, done.stdout)
    assert done.stderr.count("complaint\n") == 1, (how, replay, done.stderr)
    assert done.returncode == 1 and "[crash]" in done.stderr, (how, replay, done.stderr)


def main():
    isp, program = sys.argv[1:3]
    for how in WAYS:
        for replay in (True, True, False):  # it depends on time who says it first
            say(isp, program, how, replay)
            print(f"ok {how}{' in a replay' * replay}")


if __name__ == "__main__":
    main()

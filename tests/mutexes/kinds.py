#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each function by which a thread gets a mutex is seen (profiler/threads/mutexes.c): the verdict says that
one order of what is called under it was run. Without any, both orders are run.

Usage: kinds.py ISP PROGRAM
"""
import re
import subprocess
import sys

LIMIT_S = 60
UNDER_MUTEX = "in which threads get a mutex around MPI calls that compete"


def main():
    isp, program = sys.argv[1:]
    listed = subprocess.run([program], capture_output=True, text=True, timeout=LIMIT_S, check=True)
    kinds = listed.stdout.split()
    assert "none" in kinds and len(kinds) > 20, kinds
    failed = 0
    for kind in kinds:
        command = [isp, "-n", "2", "--timeout=4", program, kind]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        text = re.sub(r"\s+", " ", done.stdout + done.stderr)
        good = (
            done.returncode == 0 and "2 interleavings, all explored" in text
            if kind == "none"
            else done.returncode == 3 and UNDER_MUTEX in text
        )
        failed += not good
        print(f"ok   {kind}" if good else f"FAIL {kind}: exit code {done.returncode}: {text}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

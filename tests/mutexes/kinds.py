#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each function by which a thread gets a mutex is seen (profiler/threads/mutexes.c): the verdict says that
one order of what is called under it was run. Without any, both orders are run. Nor is one order taken for all
where a thread waits with the mutex (waits.c).

Usage: kinds.py ISP KINDS WAITS
"""
import os
import re
import subprocess
import sys

LIMIT_S = 60
UNDER_MUTEX = "in which threads get a mutex around MPI calls that compete"
IN_IT = "of which one waits in it for what comes after the other's call"
NONE = "2 interleavings, all explored"
# environment of waits.c: exit code, words
WAITS = {
    (): (3, IN_IT),
    ("MAIN_IS_LATE",): (1, "deadlock"),
    ("BOTH_POSTED",): (0, "all explored"),
    ("BOTH_POSTED", "MAIN_IS_LATE"): (0, "all explored"),
}


def shows(isp, program, arguments, environment, code, words):
    """Whether it ends so; prints what is not as expected."""
    command = [isp, "-n", "2", "--timeout=4", program, *arguments]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
        env={**os.environ, **dict.fromkeys(environment, "1")},
    )
    text = re.sub(r"\s+", " ", done.stdout + done.stderr)
    good = done.returncode == code and words in text
    name = " ".join([os.path.basename(program), *arguments, *environment])
    print(f"ok   {name}" if good else f"FAIL {name}: exit code {done.returncode}: {text}")
    return good


def main():
    isp, kinds, waits = sys.argv[1:]
    listed = subprocess.run([kinds], capture_output=True, text=True, timeout=LIMIT_S, check=True)
    names = listed.stdout.split()
    assert "none" in names and len(names) > 20, names
    good = [
        shows(isp, kinds, [name], (), *((0, NONE) if name == "none" else (3, UNDER_MUTEX))) for name in names
    ]
    good += [shows(isp, waits, [], environment, *expected) for environment, expected in WAITS.items()]
    return not all(good)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A replay that something ends before its end says so, and exits with 3.

Usage: replay_cut.py ISP PROGRAM

PROGRAM is hangs.c, which never ends with these choices.
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

LIMIT_S = 60


def replay(isp, program, options, number=None):
    """Exit code, and what it says; `number` is the signal that it gets when the ranks have connected."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
    with tempfile.TemporaryDirectory(prefix="isp-cut-") as folder:
        process = subprocess.Popen(
            [isp, "replay", *options, "--timeout", "0", "--choices", "1", "-n", "3", "--", program],
            cwd=folder,
            env={**env, "TMPDIR": folder},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        until = time.monotonic() + LIMIT_S
        while number and not os.listdir(folder) and time.monotonic() < until:
            time.sleep(0.01)
        if number:
            process.send_signal(number)
        said = process.communicate(timeout=LIMIT_S)[1]
    return process.returncode, said


def main():
    isp, program = map(os.path.abspath, sys.argv[1:])
    cuts = {
        "SIGINT": ((), signal.SIGINT),
        "SIGTERM": ((), signal.SIGTERM),
        "--max-time": (("--max-time", "1"), None),
    }
    for name, (options, number) in cuts.items():
        code, said = replay(isp, program, options, number)
        assert code == 3 and "in the replayed interleaving, incomplete: " in said, (name, code, said)


if __name__ == "__main__":
    main()

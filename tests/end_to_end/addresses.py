#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each launch of a program finds its memory at the same addresses, also in another exploration.

Usage: addresses.py ISP PROGRAM
"""
import re
import subprocess
import sys

LIMIT_S = 60
SKIP = 77  # meson's


def places(isp, program):
    done = subprocess.run(
        [isp, "-n", "3", "--no-checkpoints", "--output=all", program],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found = re.findall(r"stack \S+ heap \S+ static \S+ library \S+", done.stdout)
    assert len(found) >= 2, done.stdout + done.stderr
    return set(found)


def main():
    isp, program = sys.argv[1:]
    if subprocess.run(["setarch", "-R", "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("this system does not allow fixed addresses")
        sys.exit(SKIP)
    found = places(isp, program) | places(isp, program)
    assert len(found) == 1, found


if __name__ == "__main__":
    main()

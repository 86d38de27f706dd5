#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A search that comes to its end has the same result with and without predictions: the runs that are made for
these count nowhere.

usage: same_result.py ISP BUILD [--ranks N]
"""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402
import week  # noqa: E402

PROGRAMS = ["umpire-suite/*any_src*", "tests/programs/*worker*", "tests/programs/wait*"]


def explore(options, program, when):
    with tempfile.TemporaryDirectory(prefix="predict-") as folder:
        file = os.path.join(folder, "result.json")
        command = [options.isp, "-q", "-n", str(options.ranks), "--max-time", "60", f"--predict={when}"]
        subprocess.run(
            [*command, "--json", file, "--", program],
            capture_output=True,
            timeout=120,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        with open(file, encoding="utf-8") as stream:
            return alike(json.load(stream))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp")
    parser.add_argument("build")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--one-of", type=int, default=1, metavar="K", help="a part of them (../week.py)")
    options = parser.parse_args()
    found = sorted(p for g in PROGRAMS for p in glob.glob(os.path.join(options.build, g)))
    programs = [
        p
        for p in found
        if os.access(p, os.X_OK) and not os.path.isdir(p) and week.takes(os.path.basename(p), options.one_of)
    ]
    failed = not programs
    for program in programs:
        auto, off = explore(options, program, "auto"), explore(options, program, "off")
        differ = [k for k in auto if auto[k] != off[k]]
        failed |= bool(differ)
        print(
            f"FAIL {program}: {', '.join(differ)}" if differ else f"ok {os.path.basename(program)}",
            flush=True,
        )
    sys.exit(failed)


if __name__ == "__main__":
    main()

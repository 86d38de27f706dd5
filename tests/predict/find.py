#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the one deadlock of each program in programs/, among a million to 10^18 orders: within 20 runs and
10 s, at the line that is marked, under a name that shows it again. With --without, the first 20,000
interleavings of a search without predictions must not show it.

usage: find.py ISP FOLDER [--without] [--only NAME,NAME...]      FOLDER: where the programs are compiled
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS = {
    "all_wrong": 16,
    "farm_barrier": 12,
    "late_receive": 16,
    "nested_masters": 16,
    "pipeline": 8,
    "posted_early": 12,
    "ring": 14,
    "split_groups": 16,
    "tag_mixing": 16,
    "two_collectors": 16,
}
RUNS_MOST, SECONDS_MOST, ORDERS_LEAST = 20, 60, 1e6
STUCK = {"deadlock", "unsafe-buffering"}


def explore(options, name, *arguments):
    """(JSON result, what isp said, seconds)"""
    with tempfile.TemporaryDirectory(prefix="predict-") as folder:
        file = os.path.join(folder, "result.json")
        command = [options.isp, "-n", str(RANKS[name]), "-v", "--json", file, *arguments]
        begin = time.monotonic()
        done = subprocess.run(
            [*command, "--", os.path.join(options.folder, name)],
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        seconds = time.monotonic() - begin
        with open(file, encoding="utf-8") as stream:
            return json.load(stream), done.stderr, seconds


def marked_line(name):
    with open(os.path.join(HERE, "programs", f"{name}.c"), encoding="utf-8") as stream:
        return next(n for n, line in enumerate(stream, 1) if "@deadlock" in line)


def replay_shows(options, finding):
    command = [options.isp, *shlex.split(finding["replay"])[1:]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return f"[{finding['rule']}]" in done.stderr


def find(options, name):
    result, said, seconds = explore(options, name, "--stop-at-first")
    runs = sum(map(int, re.findall(r"(\d+) runs? launched, (\d+)", said)[0]))
    orders = result["estimated_interleavings"] or 0
    stuck = [f for f in result["findings"] if f["rule"] in STUCK]
    wrong = []
    if not stuck:
        return f"FAIL {name}: no deadlock found in {runs} runs: {said[-300:]}"
    if not any(marked_line(name) in [s["line"] for s in f["sites"]] for f in stuck):
        wrong.append(f"not at line {marked_line(name)}")
    if not all(f["predicted"] and replay_shows(options, f) for f in stuck):
        wrong.append("not predicted, or not shown by its replay")
    if runs > RUNS_MOST or seconds > SECONDS_MOST:
        wrong.append("too late")
    if orders < ORDERS_LEAST:
        wrong.append("too few orders")
    what = f"{name} -n {RANKS[name]}: {runs} runs, {seconds:.2f} s, about {orders:.0e} orders"
    return f"FAIL {what}: {', '.join(wrong)}" if wrong else f"ok {what}, {stuck[0]['interleaving']}"


def miss(options, name):
    result, _, seconds = explore(options, name, "--predict=off", "--max-interleavings", "20000")
    stuck = [f for f in result["findings"] if f["rule"] in STUCK]
    what = f"{name} without predictions: {result['interleavings']} interleavings, {seconds:.1f} s"
    return f"FAIL {what}: found" if stuck else f"ok {what}: nothing"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp")
    parser.add_argument("folder")
    parser.add_argument("--without", action="store_true")
    parser.add_argument("--only", default=",".join(RANKS))
    options = parser.parse_args()
    failed = False
    for name in options.only.split(","):
        line = (miss if options.without else find)(options, name)
        failed |= line.startswith("FAIL")
        print(line, flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Explores the scripts of this folder, by mpi4py: each must show the rule that it marks at that line, and
nothing as a twin (with an argument). Those that end in _ok have nothing wrong.

usage: run.py ISP [NAME...]
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3"  # Debian's, which has Debian's mpi4py
RANKS, LIMIT_S = 3, 120
MOST = 12  # interleavings of what polls: futures


def marked(path):
    """(rule, line, or None where it is not the script's) of each mark."""
    found = []
    with open(path, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            found += [(rule, number) for rule in re.findall(r"# @([\w-]+)", line)]
            found += [(rule, None) for rule in re.findall(r"# rule: ([\w-]+)", line)]
    return found


def explore(isp, path, *arguments):
    with tempfile.TemporaryDirectory(prefix="isp-python-") as folder:
        result = os.path.join(folder, "result.json")
        command = [isp, "-q", "-n", str(RANKS), "--max-interleavings", str(MOST), "--json", result]
        done = subprocess.run(
            [*command, "--", PYTHON, path, *arguments],
            text=True,
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
        )
        if not os.path.exists(result):
            raise AssertionError(f"no result: {done.stdout}{done.stderr}")
        with open(result, encoding="utf-8") as stream:
            return json.load(stream)


def told(result, path):
    """(rule, line in the script) of each error and warning."""
    found = []
    for f in result["findings"]:
        site = f["sites"][0]
        own = os.path.basename(site["file"] or "") == os.path.basename(path)
        if f["severity"] != "note":
            found.append((f["rule"], site["line"] if own else None))
    return found


def check(isp, path):
    wanted, result = marked(path), explore(isp, path)
    found = told(result, path)
    assert found == wanted, f"found {found}, expected {wanted}"
    if path.endswith("_ok.py"):
        return
    result = explore(isp, path, "twin")
    assert result["complete"], result["incomplete_because"]
    assert not told(result, path), f"the twin: {told(result, path)}"


def main():
    isp, failed = os.path.abspath(sys.argv[1]), 0
    paths = sorted(glob.glob(os.path.join(HERE, "*.py")))
    names = sys.argv[2:]
    for path in paths:
        name = os.path.basename(path)[:-3]
        if name == "run" or (names and name not in names):
            continue
        try:
            check(isp, path)
            print(f"ok {name}", flush=True)
        except (AssertionError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"FAIL {name}: {error}", flush=True)
    sys.exit(failed > 0)


main()

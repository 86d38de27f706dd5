#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs isp on the programs of this folder (README.md), and prints for each in which line of the report its
cause stands.

usage: table.py ISP PROGRAM [--filter PATTERN] [--show] [--jobs N]
"""

import argparse
import concurrent.futures
import fnmatch
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = re.compile(r"(?:PROGRAM|THREADED)\((\w+), (\d+)\)$")
MARK = re.compile(r"/\* CAUSE(?: of (\w+))? \*/")
FIRST_LINES = 2


class Program:
    """One of them: its ranks, its file, and the lines of the calls that are its cause."""

    def __init__(self, name, ranks, file):
        self.name, self.ranks, self.file = name, int(ranks), file
        self.lines = []


def read_programs():
    """All of them, by name, in the order of the files."""
    found, marks = {}, []
    for path in sorted(glob.glob(os.path.join(HERE, "*.c"))):
        name = None
        with open(path, encoding="utf-8") as stream:
            for number, line in enumerate(stream, 1):
                head, mark = PROGRAM.match(line), MARK.search(line)
                if head:
                    name = head[1]
                    found[name] = Program(name, head[2], os.path.basename(path))
                if mark:
                    marks.append((mark[1] or name, number))
    for name, number in marks:
        found[name].lines.append(number)
    return found


def run(isp, binary, program, repaired=False):
    """(exit code, the lines of the report)"""
    command = [isp, "-n", str(program.ranks), "--", binary, program.name] + ["repaired"] * repaired
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stderr[max(done.stderr.find("isp: "), 0) :].split("\n")


def line_of_cause(program, report):
    """The first line of the report (from 1) that names a line of the cause; None: none does."""
    places = re.compile(rf"\b{re.escape(program.file)}:(?:{'|'.join(map(str, program.lines))})\b")
    for number, line in enumerate(report, 1):
        if places.search(line):
            return number
    return None


def rule_of(report):
    """That of the first finding."""
    rules = [m[1] for line in report if (m := re.search(r" \[([a-z-]+)\]$", line))]
    return rules[0] if rules else "-"


def try_program(isp, binary, program):
    """(program, line of the report, its rule, what else is wrong or None, the report)"""
    code, report = run(isp, binary, program)
    right, clean = run(isp, binary, program, repaired=True)
    wrong = None
    if code != 1:
        wrong = f"isp ended with {code}"
    elif right != 0:
        wrong = f"repaired, it is not clean: {clean[:2]}"
    elif not program.lines:
        wrong = "no line is marked"
    return program, line_of_cause(program, report), rule_of(report), wrong, report


def main():
    """Prints the table, and what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("isp")
    parser.add_argument("program")
    parser.add_argument("--filter", default="*")
    parser.add_argument("--show", action="store_true", help="the beginning of each report")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    chosen = [p for name, p in read_programs().items() if fnmatch.fnmatch(name, args.filter)]
    good = bad = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for result in pool.map(lambda p: try_program(args.isp, args.program, p), chosen):
            program, line, rule, wrong, report = result
            cause = f"{program.file}:{','.join(map(str, program.lines))}"
            print(f"{program.name:26} {cause:24} {rule:22} {line or '-':>4} {wrong or ''}".rstrip())
            if args.show:
                print("".join(f"    {text}\n" for text in report[:2]))
            good += line is not None and line <= FIRST_LINES
            bad += wrong is not None
    print(f"{good} of {len(chosen)} have their cause in the first {FIRST_LINES} lines of the report")
    enough = good * 12 >= len(chosen) * 11
    return 0 if enough and not bad else 1


sys.exit(main())

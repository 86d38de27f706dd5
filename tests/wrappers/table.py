#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Where the headlines of findings are in programs with a layer between them and MPI: prints a row for each
program and level of optimization. The exit code is 1 if one is not at a line that is marked for it.

usage: table.py ISP FOLDER_OF_PROGRAMS [NAME...]
"""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = {
    "c": "c.c",
    "cxx": "cxx.cc",
    "fortran": "fortran.f90",
    "layers": "layers.cc",
    "modern": "modern.f90",
}
LEVELS = ("O0", "O2")


def marked(source):
    """name of a program -> numbers of its lines."""
    lines = {}
    with open(os.path.join(HERE, source), encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            for name in re.findall(r"@(\w+)", line):
                lines.setdefault(name, set()).add(number)
    return lines


def place(at):
    return f"{os.path.basename(at['file'] or '?')}:{at['line']} {at['function'] or ''}"


class Row:
    """One program at one level."""

    def __init__(self, isp, folder, language, name, lines, level):
        self.isp, self.name, self.level, self.lines = isp, name, level, lines
        self.source = SOURCES[language]
        self.program = os.path.join(folder, f"{language}_{level}")

    def run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "result.json")
            command = [self.isp, "-n", "2", "--json", path, self.program, self.name]
            said = subprocess.run(command, capture_output=True, text=True, timeout=100).stderr
            with open(path, encoding="utf-8") as stream:
                findings = json.load(stream)["findings"]
        self.judge(findings, said)
        return self

    def judge(self, findings, said):
        findings = [f for f in findings if f["severity"] != "note"]
        if not findings:
            self.right, self.words = False, ["no finding"]
            return
        self.words, self.right = [], True
        for finding in findings:
            site = finding["sites"][0]
            shown = site.get("shown", site)
            right = shown["line"] in self.lines and os.path.basename(shown["file"] or "") == self.source
            head = f"{shown['file']}:{shown['line']}: {finding['severity']}: {finding['message']}"
            self.right &= right and head in said
            through = [
                place(at) for at in [site] + site.get("stack", []) if at is not site or "shown" in site
            ]
            inner = through[: through.index(place(shown))] if place(shown) in through else []
            self.words.append(f"{finding['rule']}  {place(shown)}  {' < '.join(inner)}")


def main():
    isp, folder, names = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    rows = [
        Row(isp, folder, language, name, lines, level)
        for language, source in SOURCES.items()
        for name, lines in marked(source).items()
        for level in LEVELS
        if not names or name in names
    ]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row in pool.map(Row.run, rows):
            print(
                f"{'ok  ' if row.right else 'FAIL'} {row.name:18} {row.level}  {'; '.join(row.words)}",
                flush=True,
            )
    right = sum(row.right for row in rows)
    print(
        f"{right} of {len(rows)} headlines ({len({row.name for row in rows})} programs) "
        "are at the marked line"
    )
    sys.exit(right != len(rows))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`isp debug RESULT` stands where the finding is: for each finding that an interleaving shows, of the
programs of the Umpire suite, tests/rules, tests/cxx and tests/fortran.

It must stand on the rank and at the line of the finding's first site: at that call, at the access, in the
frame that failed, in the call that never returns. What is known only at the end (leaks, what nobody has
waited for or received) is shown at MPI_Finalize. Where there is a line of source, gdb can look at the
rank, and its innermost frame is that line.

usage: places.py ISP BUILD_DIR [--filter GLOB] [--one-of K] [--jobs N]
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("..", "../end_to_end"):
    sys.path.insert(0, os.path.join(HERE, folder))
import run as end_to_end  # noqa: E402
import week  # noqa: E402
from debugger import Debugger, Failed  # noqa: E402

FOLDERS = ("umpire-suite/", "tests/rules/", "tests/cxx/", "tests/fortran/")
LIMIT_S = 120
AT_END = ("missing-wait", "lost-message", "leak-")
# rule, or program: why it stands elsewhere
ELSEWHERE = {
    "call-before-init": "the rank has never told of itself, and is gone",
    "call-after-finalize": "what is recorded ends with MPI_Finalize",
    "no-finalize": "it stands where the rank leaves; the finding names its last call",
    "exit-code": "likewise",
    "thread-level": "ranks with several threads do not hold",
    "tests/rules/crash_breakpoint": "the stack is that behind the instruction",
    "tests/rules/buffer-overlap_allreduce_alias": "MPI itself has ended the rank, later",
}


def why_elsewhere(entry, finding):
    for name, why in ELSEWHERE.items():
        if finding["rule"] == name or entry.name.startswith(name):
            return why
    return None


def checked(finding):
    return finding.get("replay") and finding["severity"] != "note" and finding["sites"]


def place_of(line):
    """(rank, file, line) of what `where` says."""
    found = re.match(r"rank (\d+) (?:stands|waits|is over) (?:in|at) (?:.*/)?([^/ ]+):(\d+) ", line)
    return (int(found[1]), found[2], int(found[3])) if found else None


class Places:
    def __init__(self, isp, build):
        self.isp, self.build = os.path.abspath(isp), os.path.abspath(build)

    def explore(self, entry, folder):
        result = os.path.join(folder, "r.json")
        options = [word.replace("{tmp}", folder) for word in entry.table.get("options", [])]
        program = ["--", os.path.join(self.build, entry.program), *entry.table.get("args", [])]
        subprocess.run(
            [self.isp, "--json", result, *options, "-n", str(entry.table["n"]), *program],
            cwd=folder,
            env={**os.environ, "TMPDIR": folder},
            input=entry.table.get("stdin", ""),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LIMIT_S,
            check=False,
        )
        if not os.path.exists(result):
            return result, []
        with open(result, encoding="utf-8") as stream:
            return result, json.load(stream)["findings"]

    def complaint(self, finding, number, result, folder):
        """None, or what is wrong with where it stands."""
        words = [self.isp, "debug", "--finding", str(number), result]
        with Debugger(words, cwd=folder) as d:
            says = d.says("where")
            frames = d.says("bt")
        place, site = place_of(says[0]), finding["sites"][0]
        if finding["rule"].startswith(AT_END):
            good = "MPI_Finalize" in says[0] or "waits in" in says[0]
        else:
            good = place == (site["rank"], os.path.basename(site["file"] or ""), site["line"])
        if not good:
            return f"{finding['rule']}: rank {site['rank']} {site['file']}:{site['line']}; it says {says[0]}"
        own = [frame for frame in frames if "mpicxx.h" not in frame]  # MPI's, but in the program
        if not own or f"{place[1]}:{place[2]}" not in own[0]:
            return f"{finding['rule']}: {says[0]}, and bt says {frames}"
        return None

    def check(self, entry):
        """(findings that were looked at, of them elsewhere for a known reason, complaints)."""
        folder = tempfile.mkdtemp(prefix="dbg-")
        try:
            result, findings = self.explore(entry, folder)
            looked, known, complaints, number = 0, 0, [], 0
            for finding in findings:
                number += bool(finding.get("replay"))
                if not checked(finding) or finding["rule"] == "unsupported":
                    continue
                looked += 1
                said = self.complaint(finding, number, result, folder)
                expected = said and why_elsewhere(entry, finding)
                known += bool(expected)
                complaints += [said] if said and not expected else []
            return looked, known, complaints
        except (Failed, OSError, subprocess.SubprocessError) as failure:
            return 0, 0, [repr(failure)]
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("isp")
    parser.add_argument("build")
    parser.add_argument("--filter", default="*")
    parser.add_argument("--one-of", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    entries = [
        entry
        for entry in end_to_end.load(options.build)
        if entry.name.startswith(FOLDERS)
        and entry.verdict == "findings"
        and fnmatch.fnmatchcase(entry.name, options.filter)
        and os.path.exists(os.path.join(options.build, entry.program))
    ]
    due = [entry for entry in entries if week.takes(entry.name, options.one_of)]
    print(week.told(len(due), len(entries)), flush=True)
    places, start, failed, looked, known = Places(options.isp, options.build), time.monotonic(), 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for entry, (n, elsewhere, complaints) in zip(due, pool.map(places.check, due)):
            looked, known, failed = looked + n, known + elsewhere, failed + len(complaints)
            for complaint in complaints:
                print(f"FAIL {entry.name}: {complaint}", flush=True)
    print(
        f"{looked} findings, {failed} stand elsewhere, {known} with a known reason, "
        f"{time.monotonic() - start:.0f} s"
    )
    return failed > 0 or not looked


if __name__ == "__main__":
    sys.exit(main())

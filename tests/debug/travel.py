#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Travels through an interleaving of each program of the Umpire suite and of 100 of tests/programs: all its
events in random order, forward and back, and compares what is to be seen with a straight run (travel.c).

The interleaving is that of the first finding, or the first one. Programs without any (isp refuses to run
them), and those whose ranks have several threads, are skipped, and named.

usage: travel.py ISP BUILD_DIR [--filter GLOB] [--one-of K] [--seed S] [--most N] [--jobs N]

With --one-of=K a K-th of the programs, each week another one (../week.py).
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("..", "../end_to_end"):
    sys.path.insert(0, os.path.join(HERE, folder))
import run as end_to_end  # noqa: E402
import week  # noqa: E402
from marks import marked, new_mark, setting  # noqa: E402

LIMIT_S = 300
OF_PROGRAMS = 100
# programs that do not stand still, and why
RESTLESS = {
    "tests/programs/op_hangs": "its own operation of a reduction never returns, and is never done",
}


def chosen(build):
    """The entries: of several with the same program the first one."""
    entries = {}
    for entry in end_to_end.load(build):
        if entry.name.startswith(("umpire-suite/", "tests/programs/")) and entry.verdict != "none":
            entries.setdefault(entry.program, entry)
    suite = [e for e in entries.values() if e.program.startswith("umpire-suite/")]
    programs = [e for e in entries.values() if e.program.startswith("tests/programs/")]
    programs.sort(key=lambda e: zlib.crc32(e.program.encode()))
    return suite + programs[:OF_PROGRAMS]


class Traveller:
    def __init__(self, isp, build, seed, most):
        self.isp, self.build, self.seed, self.most = os.path.abspath(isp), os.path.abspath(build), seed, most
        self.travel = os.path.join(self.build, "tests/debug/travel")

    def call(self, words, entry, folder):
        """(exit code, stdout, stderr); nothing that it has started may be left."""
        mark = new_mark()
        environment = {**os.environ, **setting(mark), "TMPDIR": folder}
        try:
            done = subprocess.run(
                words,
                cwd=folder,
                env=environment,
                input=entry.table.get("stdin", ""),
                capture_output=True,
                text=True,
                errors="replace",
                timeout=LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            end_to_end.kill(marked(mark))
            return -1, "", f"not ended after {LIMIT_S} s"
        left = end_to_end.until_none(lambda: marked(mark), end_to_end.GRACE_S)
        end_to_end.kill(left)
        return (-1, "", f"processes left: {left}") if left else (done.returncode, done.stdout, done.stderr)

    def subject(self, entry, folder):
        """The words behind `isp replay` for the interleaving."""
        result = os.path.join(folder, "r.json")
        program = ["--", os.path.join(self.build, entry.program), *entry.table.get("args", [])]
        options = [word.replace("{tmp}", folder) for word in entry.table.get("options", [])]
        words = [*options, "-n", str(entry.table["n"]), *program]
        self.call([self.isp, "--json", result, *words], entry, folder)
        if os.path.exists(result):
            with open(result, encoding="utf-8") as stream:
                for finding in json.load(stream)["findings"]:
                    if finding.get("replay"):
                        return shlex.split(finding["replay"])[2:]
        return ["--choices=0", *words]

    def go(self, entry):
        """(one of "ok", "skipped", "FAIL"; what to say)."""
        if entry.program in RESTLESS:
            return "skipped", RESTLESS[entry.program]
        with tempfile.TemporaryDirectory(prefix="dbg-", ignore_cleanup_errors=True) as folder:
            words = [self.travel, str(self.seed), str(self.most), *self.subject(entry, folder)]
            code, out, err = self.call(words, entry, folder)
        told = [line for line in out.splitlines() if re.match(r"\d+ events|skipped|no session", line)]
        last = told[-1] if told else ""
        if code == 0:
            return ("skipped" if last.startswith("skipped") else "ok"), last
        if code == 2:
            return "skipped", last
        return "FAIL", f"{last}\n{err[-3000:]}\n    again: {shlex.join(words)}"


def beside_library(build):
    """travel looks for the profiler beside itself, as isp does."""
    link = os.path.join(build, "tests/debug/profiler")
    if not os.path.islink(link):
        os.symlink("../../profiler", link)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("isp")
    parser.add_argument("build")
    parser.add_argument("--filter", default="*")
    parser.add_argument("--one-of", type=int, default=1)
    parser.add_argument("--seed", type=int, default=week.seed())
    parser.add_argument("--most", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    beside_library(options.build)
    all_of_them = [e for e in chosen(options.build) if fnmatch.fnmatchcase(e.program, options.filter)]
    due = [e for e in all_of_them if week.takes(e.program, options.one_of)]
    print(week.told(len(due), len(all_of_them)), flush=True)
    traveller = Traveller(options.isp, options.build, options.seed, options.most)
    counts, events, start = {}, 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(traveller.go, entry): entry for entry in due}
        for done in concurrent.futures.as_completed(running):
            how, what = done.result()
            counts[how] = counts.get(how, 0) + 1
            events += int(what.split()[0]) if how == "ok" else 0
            print(f"{how} {running[done].program}: {what}", flush=True)
    print(f"{counts}, {events} events, {time.monotonic() - start:.0f} s")
    return counts.get("FAIL", 0) > 0 or not counts.get("ok")


if __name__ == "__main__":
    sys.exit(main())

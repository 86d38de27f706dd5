#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Back to the cause: programs whose wrong value has crossed several ranks. Each has in its comments

    @ask N: COMMANDS    the script, for N ranks: ask `why` as long as it takes. It may go on in other @ask
    @says TEXT          that an answer must have; \\n is the end of a line
    @wrong RANK         on the line that it must end at, in that rank

usage: why.py ISP FOLDER [--one-of K] [NAMES...]    FOLDER: where the programs are, debugged-why-NAME
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import week  # noqa: E402

SOURCES = pathlib.Path(__file__).parent / "why"
WRITTEN = re.compile(r"written (?:by \w+ )?at (\S+):(\d+) ")
STANDS = re.compile(r"rank (\d+) stands ")
LIMIT_S = 100


def told(source):
    """The script, the number of ranks, the texts, and where it must end: (rank, line)."""
    text = source.read_text(encoding="utf-8")
    parts = re.findall(r"@ask (\d+): (.*?) *(?:\*/)?$", text, re.M)
    ranks, script = parts[0][0], "; ".join(commands for _, commands in parts)
    says = [s.replace("\\n", "\n") for s in re.findall(r"@says (.*?) *(?:\*/)?$", text, re.M)]
    marks = [(n, m) for n, line in enumerate(text.splitlines(), 1) if (m := re.search(r"@wrong (\d+)", line))]
    end = (int(marks[0][1][1]), marks[0][0]) if marks else None
    return ranks, [command.strip() for command in script.split(";")], says, end


def ends(output):
    """Where the last line that an answer names is."""
    found, end = None, None
    for line in output.splitlines():
        if match := WRITTEN.match(line):
            found = int(match[2])
        elif (match := STANDS.match(line)) and found:
            end, found = (int(match[1]), found), None
    return end


def check(isp, folder, source):
    """What is wrong with the answers, or None; and what was printed."""
    ranks, script, says, end = told(source)
    program = os.path.join(folder, f"debugged-why-{source.stem}")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as commands:
        commands.write("\n".join(script) + "\n")
        commands.flush()
        run = subprocess.run(
            [isp, "debug", "-x", commands.name, "-n", ranks, "--", program],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"},
            timeout=LIMIT_S,
            check=False,
        )
    wrong = [f"no `{text}`" for text in says if text not in run.stdout]
    if run.returncode != 0 or run.stderr:
        wrong.append(f"exit code {run.returncode}")
    if ends(run.stdout) != end:
        wrong.append(f"ends at (rank, line) {ends(run.stdout)} instead of {end}")
    return "; ".join(wrong) or None, run.stdout + run.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp", type=os.path.abspath)
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("--one-of", type=int, default=1)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    every = sorted(s for s in SOURCES.iterdir() if not options.names or s.stem in options.names)
    sources = [s for s in every if week.takes(s.stem, options.one_of)]
    print(week.told(len(sources), len(every)), flush=True)
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for source, (wrong, output) in zip(
            sources, pool.map(lambda s: check(options.isp, options.folder, s), sources)
        ):
            print(f"FAIL {source.name}: {wrong}\n{output}" if wrong else f"ok {source.name}")
            failed += bool(wrong)
    print(f"{len(sources)} programs, {failed} failed")
    return failed != 0 or not sources


if __name__ == "__main__":
    sys.exit(main())

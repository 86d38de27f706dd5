#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of poe run of it: lines of all files, branches of the matching rules.

Usage: coverage.py CC BUILD [--lines PERCENT] [--show]

poe and its tests are compiled once more with --coverage, into a folder that goes away; BUILD is where
generated sources are. Then the tests run, with fewer random scenarios than in `./dev test`. It fails if less
than 95 % of the lines of poe/ have run, or if a branch of the matching rules (RULES) was not taken. What an
assertion would do if it failed is not asked for. --show prints the lines and branches that are missing in the
other files too.
"""
import argparse
import concurrent.futures
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RULES = ("ancestors.c", "matches_before.c", "match_set.c", "ready_send.c")
TESTS = "tests/poe"
UNIT = (
    "admission_test",
    "ancestors_test",
    "arena_test",
    "factors_test",
    "partition_test",
    "poe_test",
    "rules_test",
    "search_test",
    "sends_test",
    "vector_test",
)


def run(words, **more):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **more)
    if done.returncode:
        sys.exit(
            f"{' '.join(words)} ended with {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    return done.stdout


def compile_all(cc, build, folder):
    """Objects of poe, and the programs of its tests."""
    flags = [
        "-g",
        "-O0",
        "--coverage",
        "-std=gnu11",
        "-fopenmp",
        "-D_GNU_SOURCE",
        f"-I{ROOT}",
        f"-I{ROOT}/include",
        f"-I{build}/include",
        f"-I{build}/include/isp",
        '-DISP_VERSION=""',
    ]
    sources = sorted(glob.glob(f"{ROOT}/poe/*.c")) + [f"{build}/include/functions.c"]
    programs = [f"{ROOT}/{TESTS}/{name}.c" for name in (*UNIT, "scenario")]

    def compile_one(source):
        target = os.path.join(folder, os.path.basename(source)[:-2] + ".o")
        run([*cc.split(), *flags, "-c", source, "-o", target], cwd=folder)
        return target

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_one, sources + programs))
    poe = objects[: len(sources)]
    for program in objects[len(sources) :]:
        libraries = [] if program.endswith("scenario.o") else ["-lcmocka"]
        run(
            [*cc.split(), "--coverage", "-fopenmp", "-o", program[:-2], program, *poe, *libraries], cwd=folder
        )


def run_tests(folder):
    scenario = f"{folder}/scenario"
    tests = [[f"{folder}/{name}"] for name in UNIT]
    python = [sys.executable]
    tests += [
        [*python, f"{ROOT}/{TESTS}/run_scenarios.py", scenario],
        [*python, f"{ROOT}/{TESTS}/compare.py", scenario, "--of-threads", "--seed", "1", "--count", "60"],
        [*python, f"{ROOT}/{TESTS}/compare.py", scenario, "--of-cancels", "--seed", "1", "--count", "60"],
        [*python, f"{ROOT}/{TESTS}/compare_mixed.py", scenario, "--seed", "1", "--count", "60"],
        [*python, f"{ROOT}/{TESTS}/compare.py", scenario, "--seed", "1", "--count", "100"],
        [*python, f"{ROOT}/{TESTS}/compare_merging.py", scenario, "--seed", "1", "--count", "60", "--mixed"],
        [*python, f"{ROOT}/{TESTS}/compare_bounds.py", scenario, "--seed", "1", "--count", "30"],
        [*python, f"{ROOT}/{TESTS}/compare_barriers.py", scenario, "--seed", "1", "--count", "100"],
    ]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run, tests))


def counts(gcov, folder):
    """{file of poe: (lines: {number: times}, branches: {number: [times, ...]})}"""
    found = {}
    for note in sorted(glob.glob(f"{folder}/*.gcno")):
        run([gcov, "--json-format", "--branch-probabilities", os.path.basename(note)], cwd=folder)
    for path in glob.glob(f"{folder}/*.gcov.json.gz"):
        with gzip.open(path) as file:
            told = json.load(file)
        for one in told["files"]:
            name = os.path.relpath(os.path.normpath(os.path.join(folder, one["file"])), ROOT)
            if os.path.dirname(name) != "poe":
                continue
            lines, branches = found.setdefault(name, ({}, {}))
            for line in one["lines"]:  # a header is in several: its line has run if it has in one
                lines[line["line_number"]] = lines.get(line["line_number"], 0) + line["count"]
                if name.endswith(".c"):
                    branches.setdefault(line["line_number"], []).extend(b["count"] for b in line["branches"])
    return found


def missing(name, lines, branches):
    """Numbers of lines that did not run, and those with a branch that was not taken."""
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        text = file.read().split("\n")

    def is_taken(number, times):
        # no value is outside of its enum
        spared = 1 if "switch (" in text[number - 1] else len(times) if "assert(" in text[number - 1] else 0
        return times.count(0) <= spared

    return [n for n, times in sorted(lines.items()) if not times], [
        n for n, times in sorted(branches.items()) if not is_taken(n, times)
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cc")
    parser.add_argument("build")
    parser.add_argument("--lines", type=float, default=95)
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compile_all(options.cc, os.path.abspath(options.build), folder)
        run_tests(folder)
        found = counts("gcov", folder)
    ran = total = failed = 0
    for name, (lines, branches) in sorted(found.items()):
        gone, untaken = missing(name, lines, branches)
        ran, total = ran + len(lines) - len(gone), total + len(lines)
        rule = os.path.basename(name) in RULES
        if rule:
            failed += bool(untaken)
            print(
                f"{'FAIL' if untaken else 'ok'} {name}: every branch"
                + (f" but those of lines {', '.join(map(str, untaken))}" if untaken else "")
            )
        elif options.show:
            print(f"   {name}: {100 - 100 * len(gone) / len(lines):.1f} %; lines {gone}; branches {untaken}")
    percent = 100 * ran / total
    failed += percent < options.lines
    print(
        f"{'ok' if percent >= options.lines else 'FAIL'} lines of poe: {percent:.1f} % of {total} have run, "
        f"{options.lines} % wanted"
    )
    return 1 if failed else 0


sys.exit(main())

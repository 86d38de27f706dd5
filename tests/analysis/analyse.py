#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Static analysis of poe/, scheduler/, profiler/ and compilers/: cppcheck and clang-tidy find nothing.

Usage: analyse.py BUILD [--short]

Which checks, and why others are left out: .clang-tidy, poe/.clang-tidy, cppcheck.suppressions and
cppcheck.cfg. --short leaves out what follows all paths (clang-analyzer-*), which takes half an hour. Each
tool first reads a file with a planted defect, which it must find.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FOLDERS = ("poe", "scheduler", "profiler", "compilers")
AT_ONCE = 8  # files for one clang-tidy
FINDING = re.compile(
    r"^(\S+?):(\d+):(?:\d+:)? (?:warning|error|portability|performance|style|note): .*\[\S+\]$", re.M
)
PLANTED = """#include <stdlib.h>
int planted(int n)
{
    int four[4] = {0};
    char *lost = malloc(24);
    if (!lost)
        return -1;
    for (int i = 0; i < 4; i++);
        four[i_of(n)] = n;
    return four[4];
}
"""
CPPCHECK = [
    "cppcheck",
    "-q",
    "--enable=warning,performance,portability",
    "--inline-suppr",
    "--std=c11",
    "--library=posix",
    f"--library={HERE}/cppcheck.cfg",
    f"--suppressions-list={HERE}/cppcheck.suppressions",
    "-Iinclude",
    "-Ischeduler",
    "-I.",
    "-D_GNU_SOURCE",
    '-DISP_VERSION="x"',
    "--suppress=missingIncludeSystem",
    "--template={file}:{line}: {severity}: {message} [{id}]",
]


def sources(build):
    """What meson compiles of our folders."""
    with open(f"{build}/compile_commands.json", encoding="utf-8") as file:
        names = {
            os.path.relpath(os.path.normpath(os.path.join(e["directory"], e["file"])), ROOT)
            for e in json.load(file)
        }
    return sorted(n for n in names if n.split("/")[0] in FOLDERS and n.endswith(".c"))


def findings(text):
    """One line for each, in our folders; what is found in a header is found by each file that includes it."""
    lines = set()
    for found in FINDING.finditer(text):
        name = os.path.relpath(
            os.path.join(ROOT, "build", found[1])
            if found[1].startswith("..")
            else os.path.join(ROOT, found[1]),
            ROOT,
        )
        name = re.sub(r"^build[^/]*/\.\./", "", name)
        # not what is generated
        if name.split("/")[0] in (*FOLDERS, "include") and os.path.exists(os.path.join(ROOT, name)):
            lines.add(found[0].replace(found[1], name))
    return sorted(lines)


def cppcheck(build, _):
    words = [*CPPCHECK, f"-j{os.cpu_count()}", f"-I{build}/include", *FOLDERS]
    return findings(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stderr)


def clang_tidy(build, checks):
    names = sources(build)

    def some(first):
        done = subprocess.run(
            ["clang-tidy", "-p", build, "--quiet", *checks, *names[first : first + AT_ONCE]],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout if "error:" not in done.stderr else done.stdout + done.stderr

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return findings("".join(pool.map(some, range(0, len(names), AT_ONCE))))


def sees_planted(tool):
    """Whether the tool finds anything where there is something."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/planted.c"
        with open(path, "w", encoding="utf-8") as file:
            file.write(PLANTED)
        words = (
            [*CPPCHECK, path]
            if tool == "cppcheck"
            else [
                "clang-tidy",
                "--quiet",
                f"--config-file={ROOT}/.clang-tidy",
                "--checks=-clang-analyzer-*",
                path,
                "--",
            ]
        )
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        return ("arrayIndexOutOfBounds" if tool == "cppcheck" else "bugprone-suspicious-semicolon") in said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    build, failed = os.path.abspath(options.build), 0
    checks = ["--checks=-clang-analyzer-*"] if options.short else []
    for name, tool in (("cppcheck", cppcheck), ("clang-tidy", clang_tidy)):
        if not sees_planted(name):
            print(f"FAIL {name}: it does not find what is planted")
            failed += 1
            continue
        began = time.monotonic()
        found = tool(build, checks)
        failed += bool(found)
        print(
            "".join(f"{line}\n" for line in found)
            + (
                f"{'FAIL' if found else 'ok'} {name}: {len(sources(build))} files, {len(found)} findings, "
                f"{time.monotonic() - began:.0f} s"
            ),
            flush=True,
        )
    return 1 if failed else 0


sys.exit(main())

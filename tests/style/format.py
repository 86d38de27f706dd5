#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The layout of the sources is a machine's business: clang-format for C, black for Python, prettier for the
page, all with 110 columns.

    format.py            names the files that are not as these programs would write them
    format.py --repair   writes them so
    --all                all files, not only those of HELD
    --modules FOLDER     where prettier is (node_modules)
"""

import argparse
import difflib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = 110
C = ("bench", "compilers", "cuts", "include", "poe", "profiler", "scheduler", "tests")
# Programs that tests run: their layout is part of what is tested (two calls on a line, a mark at its end,
# expected line numbers).
PROGRAMS = (
    "tests/mean",
    "tests/programs",
    "tests/rules",
    "tests/mpich",
    "tests/static",
    "tests/fortran",
    "tests/libraries",
)
# What holds so far. None: all of it has to.
HELD = (
    "cuts/",
    "poe/ancestors.c",
    "poe/ancestors.h",
    "scheduler/report/page/before.c",
    "scheduler/report/page/before.h",
    "scheduler/trace/op_words.c",
    "scheduler/trace/op_words.h",
    "tests/cuts/",
    "tests/format/",
)


def tracked(*suffixes: str) -> list:
    """Files of the repository with such a name; of a copy without .git all there are."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = (
        listed.stdout.split("\0")
        if listed.returncode == 0
        else [str(p.relative_to(ROOT)) for p in ROOT.rglob("*")]
    )
    return sorted(
        name
        for name in names
        if name.endswith(suffixes) and not name.startswith("build") and (ROOT / name).is_file()
    )


def lies_in(name: str, folders: tuple) -> bool:
    return any(name.startswith(folder.rstrip("/") + "/") or name == folder for folder in folders)


def c_files() -> list:
    return [name for name in tracked(".c", ".h") if lies_in(name, C) and not lies_in(name, PROGRAMS)]


def kinds(modules: str) -> list:
    """(files, the program, its command, whether it can be run)"""
    prettier = Path(modules) / "prettier/bin/prettier.cjs"
    return [
        (c_files(), "clang-format", lambda name: ["clang-format", f"--assume-filename={ROOT / name}"]),
        (tracked(".py"), "black", lambda name: ["black", "-q", "-l", str(COLUMNS), "-"]),
        (
            [n for n in tracked(".ts", ".js") if lies_in(n, ("viewer",))],
            "prettier",
            lambda name: ["node", str(prettier), "--stdin-filepath", str(ROOT / name)]
            if prettier.is_file()
            else [],
        ),
    ]


def look_at(name: str, command: list, repair: bool) -> list:
    """What is wrong with a file, as lines."""
    path = ROOT / name
    text = path.read_text()
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        return [f"{name}: {done.stderr.strip()}"]
    if repair and done.stdout != text:
        path.write_text(done.stdout)
        text = done.stdout
    wrong = []
    if done.stdout != text:
        changed = [
            line
            for line in difflib.unified_diff(text.split("\n"), done.stdout.split("\n"), n=0)
            if line.startswith("@@")
        ]
        first = changed[0].split()[1].lstrip("-").split(",")[0]
        wrong.append(f"{name}: {len(changed)} places are not formatted, the first at line {first}")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS and "clang-format off" not in line and "http" not in line:
            wrong.append(f"{name}:{number}: {len(line)} columns")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repair", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument(
        "--modules", default=os.environ.get("NODE_PATH", str(ROOT / "build/viewer-modules/node_modules"))
    )
    options = parser.parse_args()
    wrong, looked = [], 0
    for files, program, command in kinds(options.modules):
        files = [name for name in files if options.all or HELD is None or lies_in(name, HELD)]
        if files and (not command(files[0]) or not shutil.which(command(files[0])[0])):
            print(f"format: {program} is missing: `./dev setup` installs it")
            wrong += files
            continue
        for name in files:
            looked += 1
            wrong += look_at(name, command(name), options.repair)
    print("\n".join(wrong))
    print(
        f"format: {looked} files, {len(wrong)} complaints"
        + ("; `./dev format` repairs what is not formatted" if wrong else "")
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

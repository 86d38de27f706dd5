#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The layout of the sources is a machine's business: clang-format for C, black for Python, prettier for the
page. All lines, those of the texts and of the build's files too, have at most 110 columns.

    format.py            names the files that are not as these programs would write them, and the long lines
    format.py --repair   writes them so
    --modules FOLDER     where prettier is (node_modules)
"""

import argparse
import difflib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tokenize
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = 110
C = ("adapters", "bench", "compilers", "cuts", "include", "poe", "profiler", "scheduler", "tests")
# Programs that tests run: their layout is part of what is tested (two calls on a line, a mark at its end,
# expected line numbers).
PROGRAMS = (
    "tests/causes",
    "tests/mean",
    "tests/programs",
    "tests/rules",
    "tests/mpich",
    "tests/static",
    "tests/fortran",
    "tests/libraries",
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
    return name.startswith(tuple(folder + "/" for folder in folders))


def c_files() -> list:
    return [name for name in tracked(".c", ".h") if lies_in(name, C) and not lies_in(name, PROGRAMS)]


def programs(modules: str) -> list:
    """(the program, the command that writes files as it wants them, the files)"""
    prettier = ["node", f"{modules}/prettier/bin/prettier.cjs", "--config", "viewer/.prettierrc.json"]
    return [
        ("clang-format", ["clang-format", "-i"], c_files()),
        ("black", ["black", "-q", "-l", str(COLUMNS)], tracked(".py")),
        ("prettier", [*prettier, "--log-level=warn", "--write"], tracked(".ts", ".js")),
    ]


def is_there(command: list) -> bool:
    return bool(shutil.which(command[0])) and (command[0] != "node" or os.path.isfile(command[1]))


def run(command: list, files: list, there: Path) -> str:
    """Has a program write files in this folder; what it says if it cannot."""
    done = subprocess.run([*command, *files], capture_output=True, text=True, check=False, cwd=there)
    return done.stderr.strip() if done.returncode else ""


def formatted(modules: str, repair: bool) -> list:
    """What is not as the programs would write it: in a copy, if it is not to be changed."""
    wrong, jobs, processes = [], [], os.cpu_count()
    with tempfile.TemporaryDirectory() as folder:
        there = ROOT if repair else Path(folder)
        wanted = programs(modules)
        files = sorted(name for _, _, some in wanted for name in some)
        for name in [] if repair else [*files, ".clang-format", "viewer/.prettierrc.json"]:
            (there / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, there / name)
        with ThreadPoolExecutor(processes) as pool:
            for program, command, some in wanted:
                if not is_there(command):
                    wrong.append(
                        f"{program} is missing: `./dev setup` and `./dev format` install all of them"
                    )
                    continue
                parts = min(processes, len(some))
                jobs += [pool.submit(run, command, some[i::parts], there) for i in range(parts)]
        wrong += [said for said in (job.result() for job in jobs) if said]
        for name in files:
            wrong += difference(name, (ROOT / name).read_text(), (there / name).read_text())
    return wrong


def difference(name: str, text: str, wanted: str) -> list:
    if text == wanted:
        return []
    lines = difflib.unified_diff(text.split("\n"), wanted.split("\n"), n=0)
    changed = [line for line in lines if line.startswith("@@")]
    first = changed[0].split()[1].lstrip("-").split(",")[0]
    return [f"{name}: {len(changed)} places are not formatted, the first at line {first}"]


def of_no_width(name: str, text: str) -> set:
    """Lines that are as long as what they show: tables and code of a text, a string of several lines."""
    free = set()
    if name.endswith(".md"):
        fenced = False
        for number, line in enumerate(text.split("\n"), 1):
            fence = re.match(r" *(```|~~~)", line)
            fenced ^= bool(fence)
            if fenced or fence or re.match(r" *\||    ", line):
                free.add(number)
    if name.endswith(".py"):
        before = None
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            statement = before in (None, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
            if token.type == tokenize.STRING and token.start[0] < token.end[0] and not statement:
                free |= set(range(token.start[0], token.end[0] + 1))
            if token.type not in (tokenize.NL, tokenize.COMMENT, tokenize.ENCODING):
                before = token.type
    return free


def long_lines(name: str) -> list:
    text = (ROOT / name).read_text()
    lines = [(i, line) for i, line in enumerate(text.split("\n"), 1) if len(line) > COLUMNS]
    free = of_no_width(name, text) if lines else set()
    return [
        f"{name}:{number}: {len(line)} columns"
        for number, line in lines
        if number not in free and "http" not in line
    ]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repair", action="store_true")
    parser.add_argument(
        "--modules", default=os.environ.get("NODE_PATH", str(ROOT / "build/viewer-modules/node_modules"))
    )
    options = parser.parse_args()
    wrong = formatted(os.path.abspath(options.modules), options.repair)
    files = c_files() + tracked(".py", ".ts", ".js", ".md", ".sh", "meson.build", "meson_options.txt")
    files += ["dev"]
    for name in files:
        wrong += long_lines(name)
    print("\n".join(wrong))
    print(
        f"format: {len(files)} files, {len(wrong)} complaints"
        + ("; `./dev format` repairs what is not formatted" if wrong else "")
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

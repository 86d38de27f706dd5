# SPDX-License-Identifier: BSD-3-Clause
"""A sample of the programs for every day: all that run.py has had to explain, some that together name every MPI
function that any of them names (in C, and in each binding), and some more. Which these are changes with a seed,
that of the week unless one is given.
"""
import datetime
import random
import re
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

TABLES = Path(__file__).resolve().parent.parent.parent / "include/functions"
MORE = 0.05  # of all entries
# Ten thousand rounds with ranks that spin, or threads that do: a minute each. So one of them, and what only they
# name.
LONG = ("rma/*_flush_get", "rma/*_flush_load", "rma/atomic_*", "rma/linked_list_bench*", "rma/mutex_bench*",
        "rma/contention_*", "threads/pt2pt/m*", "threads/comm/dup_leak_test", "threads/rma/*")
SUFFIXES = (".c", ".cxx", ".f", ".f90", ".F90")
CALL = re.compile(r"\b(MPIX?_\w+)\s*\(", re.IGNORECASE)
# mpif.h and `use mpi` call the same entries.
BINDINGS = {"f77": "Fortran", "f90": "Fortran", "f08": "f08", "cxx": "cxx"}
METHOD = re.compile(r"(?:\.|->|::)([A-Z]\w+)\s*\(")  # of the C++ binding


def seed_of_the_week():
    year, week, _ = datetime.date.today().isocalendar()
    return year * 100 + week


def sources(folders, program):
    """What has the longest name that its name begins with, if any: `acc_short` is compiled from acc.c."""
    found = {path.stem: path for folder in folders for path in listed(folder) if program.startswith(path.stem)}
    return [found[max(found, key=len)]] if found else []


@cache
def listed(folder):
    return [path for path in folder.iterdir() if path.suffix in SUFFIXES] if folder.is_dir() else []


@cache
def known():
    """MPI's functions, in lower case."""
    lines = (line for table in TABLES.glob("*.tbl") for line in table.read_text(encoding="utf-8").splitlines())
    return {line.split()[0].lower() for line in lines if line.startswith("MPI")}


@cache
def functions(source, build, entry):
    """What its source names, with the binding: those of C and of Fortran are different entries of isp's."""
    text = "".join(path.read_text(encoding="utf-8", errors="replace")
                   for path in sources([build / entry.folder, source / entry.folder], entry.program))
    binding = BINDINGS.get(entry.group, "C")
    if binding == "cxx":
        return {(binding, name) for name in METHOD.findall(text)}
    return {(binding, name.lower()) for name in CALL.findall(text) if name.lower() in known()}


def cover(wanted, entries, names):
    """Some of the entries that have all that is wanted, which is taken from `wanted`: each next one has the most of
    what is left."""
    taken = []
    while wanted:
        best = max(entries, key=lambda e: len(names[e] & wanted))
        if not names[best] & wanted:
            break
        taken.append(best)
        wanted -= names[best]
    return taken


def is_any_of(entry, patterns):
    return any(fnmatchcase(entry.base, p) for p in patterns)


def choose(entries, source, build, explained, seed):
    """explained: patterns of programs that are always in it. In the order of the lists."""
    shuffled = list(entries)
    random.Random(seed).shuffle(shuffled)  # the first of those that are as good is taken
    names = {e: functions(source, build, e) for e in entries}
    quick = [e for e in shuffled if not is_any_of(e, LONG)]
    long = [e for e in shuffled if is_any_of(e, LONG)]
    always = [e for e in quick if is_any_of(e, explained)]
    wanted = set().union(*names.values()) - set().union(*(names[e] for e in always))
    taken = {*always, *cover(wanted, quick, names), *cover(wanted, long, names)}
    taken.update(quick[:round(MORE * len(quick))], long[:1])
    return [e for e in entries if e in taken]

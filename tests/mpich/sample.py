# SPDX-License-Identifier: BSD-3-Clause
"""A sample of the programs for every day: all that run.py has had to explain, some that together name every
MPI function that any of them names (in C; of those in the other bindings it is the turn of one in
BINDINGS_ONE_OF), and some more. Which these are changes with a seed, that of the week unless one is given:
after so many weeks each function was called in each binding.
"""
import random
import re
import zlib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import testlist

TABLES = Path(__file__).resolve().parent.parent.parent / "include/functions"
MORE_ONE_OF = 50  # of all entries
BINDINGS_ONE_OF = 3
# Ten thousand rounds with ranks that spin, or threads that do: a minute each. So only what nothing else
# names.
LONG = (
    "rma/*_flush_get",
    "rma/*_flush_load",
    "rma/atomic_*",
    "rma/linked_list_bench*",
    "rma/mutex_bench*",
    "rma/contention_*",
    "threads/pt2pt/m*",
    "threads/pt2pt/threads",
    "threads/comm/dup_leak_test",
    "threads/rma/*",
)
SUFFIXES = (".c", ".cxx", ".f", ".f90", ".F90")
CALL = re.compile(r"\b(MPIX?_\w+)\s*\(", re.IGNORECASE)
# mpif.h and `use mpi` call the same entries.
BINDINGS = {"f77": "Fortran", "f90": "Fortran", "f08": "f08", "cxx": "cxx"}
METHOD = re.compile(r"(?:\.|->|::)([A-Z]\w+)\s*\(")  # of the C++ binding


def sources(folders, program):
    """What has the longest name that its name begins with, if any: `acc_short` is compiled from acc.c."""
    found = {
        path.stem: path for folder in folders for path in listed(folder) if program.startswith(path.stem)
    }
    return [found[max(found, key=len)]] if found else []


@cache
def listed(folder):
    return [path for path in folder.iterdir() if path.suffix in SUFFIXES] if folder.is_dir() else []


@cache
def known():
    """MPI's functions, in lower case."""
    lines = (
        line for table in TABLES.glob("*.tbl") for line in table.read_text(encoding="utf-8").splitlines()
    )
    return {line.split()[0].lower() for line in lines if line.startswith("MPI")}


@cache
def functions(source, build, entry):
    """What its source names, with the binding: those of C and of Fortran are different entries of isp's."""
    text = "".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in sources([build / entry.folder, source / entry.folder], entry.program)
    )
    binding = BINDINGS.get(entry.group, "C")
    if binding == "cxx":
        return {(binding, name) for name in METHOD.findall(text)}
    return {(binding, name.lower()) for name in CALL.findall(text) if name.lower() in known()}


def price(entry):
    """How long it takes, more or less: as many ranks as it has, and ten times that if it writes a file some
    thousand times."""
    return entry.ranks * (10 if testlist.TWO_RANKS.match(entry.base) else 1)


def cover(wanted, entries, names):
    """Some of the entries that have all that is wanted, which is taken from `wanted`: each next one has the
    most of what is left for its price."""
    taken = []
    while wanted:
        best = max(entries, key=lambda e: len(names[e] & wanted) / price(e))
        if not names[best] & wanted:
            break
        taken.append(best)
        wanted -= names[best]
    return taken


def is_any_of(entry, patterns):
    return any(fnmatchcase(entry.base, p) for p in patterns)


def is_turn(name, one_of, seed):
    return (zlib.crc32(" ".join(name).encode()) + seed) % one_of == 0


def wanted_names(names, seed):
    """The functions that the sample is to name: all in C, some in the bindings."""
    return {name for name in set().union(*names) if name[0] == "C" or is_turn(name, BINDINGS_ONE_OF, seed)}


def choose(entries, source, build, explained, seed):
    """explained: patterns of programs that are always in it. In the order of the lists."""
    shuffled = list(entries)
    random.Random(seed).shuffle(shuffled)  # the first of those that are as good is taken
    names = {e: functions(source, build, e) for e in entries}
    quick = [e for e in shuffled if not is_any_of(e, LONG)]
    long = [e for e in shuffled if is_any_of(e, LONG)]
    always = [e for e in quick if is_any_of(e, explained)]
    wanted = wanted_names(names.values(), seed) - set().union(*(names[e] for e in always))
    taken = {*always, *cover(wanted, quick, names), *cover(wanted, long, names)}
    taken.update(e for e in quick if is_turn([e.name], MORE_ONE_OF, seed))
    return [e for e in entries if e in taken]

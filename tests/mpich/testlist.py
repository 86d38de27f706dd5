# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's lists of its test programs: what to compile, and what to run with which arguments.

A line of pt2pt/testlist.in or coll/testlist.in is `program [ranks [key=value ...]]`; runtests.in of
the package defines the keys. Not taken over: testlist.gpu (needs a GPU), the lines that repeat a program
with another setting of MPICH's OFI device (Debian's MPICH has UCX), and the lists that the package
generates for its own algorithms (coll_cvars.txt: what happens inside of an MPI call is not isp's
matter) and for derived datatypes (DATATYPES: a few lines stand for each of those programs).
"""
import re
from dataclasses import dataclass
from pathlib import Path

FOLDERS = ("pt2pt", "coll")
MAX_RANKS = 10  # only uoplong asks for more
MAX_MEMORY_GB = 1.5  # entries that say they need more are skipped, by name
TOO_LONG = {"pt2pt/sendflood": "1.4 million messages"}  # skipped, unless asked for by --all

# maint/dtp-test-config.txt, reduced to two type lists and one count each.
DATATYPES = {
    "pt2pt": [
        "pingping 2 arg=-type=MPI_INT arg=-sendcnt=17 arg=-recvcnt=17 arg=-seed=1 arg=-testsize=1",
        "pingping 2 arg=-type=MPI_INT:4+MPI_DOUBLE:8 arg=-sendcnt=17 arg=-recvcnt=34 arg=-seed=2 arg=-testsize=1",
        "pingping_barrier 2 arg=-type=MPI_INT arg=-sendcnt=1 arg=-recvcnt=2 arg=-seed=3 arg=-testsize=1",
        "sendrecv1 2 arg=-type=MPI_INT arg=-sendcnt=17 arg=-recvcnt=17 arg=-seed=4 arg=-testsize=8",
        "sendrecv1 2 arg=-type=MPI_INT:4+MPI_DOUBLE:8 arg=-sendcnt=512 arg=-recvcnt=1024 arg=-seed=5 arg=-testsize=8",
        "sendself 1 arg=-type=MPI_INT:4+MPI_DOUBLE:8 arg=-sendcnt=17 arg=-recvcnt=17 arg=-seed=6 arg=-testsize=8",
    ],
    "coll": [
        "bcast 4 arg=-type=MPI_INT arg=-count=17 arg=-seed=7 arg=-testsize=4",
        "bcast 4 arg=-type=MPI_INT:4+MPI_DOUBLE:8 arg=-count=512 arg=-seed=8 arg=-testsize=4",
        "bcast_comm_world_only 10 arg=-type=MPI_INT arg=-count=17 arg=-seed=9 arg=-testsize=4",
    ],
}


@dataclass(frozen=True)
class Program:
    """One executable: PROGRAM of Makefile.am."""
    folder: str
    name: str
    source: str
    flags: tuple


@dataclass(frozen=True)
class Entry:
    """One line of a testlist."""
    folder: str
    program: str
    ranks: int
    args: tuple
    env: tuple  # of NAME=VALUE
    memory_gb: float

    @property
    def name(self):
        """`coll/allred -count=10 (n=4)`: unique, and readable in exceptions.json."""
        words = [f"{self.folder}/{self.program}", *self.args, *self.env, f"(n={self.ranks})"]
        return " ".join(words)

    @property
    def base(self):
        return f"{self.folder}/{self.program}"


def programs(source):
    """What source/{pt2pt,coll}/Makefile.am compile."""
    found = []
    for folder in FOLDERS:
        makefile = re.sub(r"\\\n", " ", (source / folder / "Makefile.am").read_text())
        variables = dict(re.findall(r"^(\w+)\s*=\s*(.*)$", makefile, re.M))
        for name in variables["noinst_PROGRAMS"].split():
            text = variables.get(f"{name}_SOURCES", f"{name}.c").split()[0]
            flags = tuple(re.findall(r"-D\w+", variables.get(f"{name}_CPPFLAGS", "")))
            found.append(Program(folder, name, text, flags))
    return found


def entries(source):
    """What source/{pt2pt,coll}/testlist.in and DATATYPES run, each once."""
    found = {}
    for folder in FOLDERS:
        for line in (source / folder / "testlist.in").read_text().splitlines() + DATATYPES[folder]:
            line = re.sub(r"#.*|@largetest@", "", line)
            if line.strip() and "env=MPIR_CVAR_CH4_OFI_" not in line:
                entry = parse(folder, line.split())
                found.setdefault(entry.name, entry)
    return list(found.values())


def parse(folder, words):
    ranks = min(int(words[1]) if len(words) > 1 else 2, MAX_RANKS)
    args, env, memory_gb = [], [], 0.0
    for word in words[2:]:
        key, _, value = word.partition("=")
        if key == "arg":
            args.append(value)
        elif key == "env":
            env.append(value)
        elif key == "mem":
            memory_gb = float(value)
    return Entry(folder, words[0], ranks, tuple(args), tuple(env), memory_gb)

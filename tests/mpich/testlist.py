# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's lists of its test programs: what to run, with how many ranks and which arguments.

A line of a testlist is `program [ranks [key=value ...]]`, or the name of a folder that has a list of
its own; runtests.in of the package defines the keys. A list that the package's configure has filled in
is read from the build folder, the others from the sources. The folders are those of FOLDERS with all
below them, except EXCLUDED.

Not taken over: testlist.gpu (needs a GPU), the lines that repeat a program with another setting of
MPICH's OFI device (Debian's MPICH has UCX), and the lists that the package generates for its own
algorithms (coll_cvars.txt: what happens inside of an MPI call is not isp's matter) and for derived
datatypes (DATATYPES: a few lines stand for each of those programs).
"""
import re
from dataclasses import dataclass, replace

FOLDERS = (
    "attr",
    "coll",
    "comm",
    "datatype",
    "errhan",
    "errors",
    "group",
    "info",
    "init",
    "io",
    "mpi_t",
    "part",
    "pt2pt",
    "rma",
    "threads",
    "topo",
    "f77",
    "f90",
    "f08",
    "cxx",
)
# Folder names below these that are left out: how fast MPI is, processes that MPI starts (isp refuses
# them by name, docs/functions.md), processes that are killed.
EXCLUDED = ("perf", "spawn", "faults")
MAX_RANKS = 10  # a few ask for more
MAX_MEMORY_GB = 1.5  # entries that say they need more are skipped, by name
# By the beginning of an entry's name; --all runs them. All but the first do not end under mpiexec, either, on
# two cores.
TOO_LONG = {
    "pt2pt/sendflood": "1.4 million messages",
    "rma/large_acc_flush_local": "no end within 50 s under mpiexec, in which ranks spin while they wait",
    "rma/rma_contig -iter=10000": "no end within 50 s under mpiexec, in which ranks spin while they wait",
    "coll/nonblocking3": "no end within 50 s under mpiexec, in which ranks spin while they wait",
    "threads/pt2pt/alltoall": "no end within 50 s under mpiexec, in which threads spin while they wait",
    "threads/pt2pt/multisend4": "no end within 50 s under mpiexec, in which threads spin while they wait",
}
# Run by 2 ranks instead of 4, unless asked for by --all: each of the 63 writes to a file 4032 times, three
# times over, most of them collectively; on two cores 4 ranks that wait for each other need as long for that
# as all else together.
TWO_RANKS = re.compile(r"(f77|f90|f08|cxx)/io/i?write")
# What this version of the package cannot compile; run.py names anything else that is missing.
UNCOMPILABLE = {
    "f08/io/c2f2ciof90": "uses a variable that it does not declare",
    "errors/f08/io/uerrhandf08": "passes an MPI_File where MPI_Errhandler is due",
}

# maint/dtp-test-config.txt, reduced to two type lists and one count each.
TYPES = "arg=-type=MPI_INT", "arg=-type=MPI_INT:4+MPI_DOUBLE:8"
DATATYPES = {
    "pt2pt": [
        f"pingping 2 {TYPES[0]} arg=-sendcnt=17 arg=-recvcnt=17 arg=-seed=1 arg=-testsize=1",
        f"pingping 2 {TYPES[1]} arg=-sendcnt=17 arg=-recvcnt=34 arg=-seed=2 arg=-testsize=1",
        f"pingping_barrier 2 {TYPES[0]} arg=-sendcnt=1 arg=-recvcnt=2 arg=-seed=3 arg=-testsize=1",
        f"sendrecv1 2 {TYPES[0]} arg=-sendcnt=17 arg=-recvcnt=17 arg=-seed=4 arg=-testsize=8",
        f"sendrecv1 2 {TYPES[1]} arg=-sendcnt=512 arg=-recvcnt=1024 arg=-seed=5 arg=-testsize=8",
        f"sendself 1 {TYPES[1]} arg=-sendcnt=17 arg=-recvcnt=17 arg=-seed=6 arg=-testsize=8",
    ],
    "coll": [
        f"bcast 4 {TYPES[0]} arg=-count=17 arg=-seed=7 arg=-testsize=4",
        f"bcast 4 {TYPES[1]} arg=-count=512 arg=-seed=8 arg=-testsize=4",
        f"bcast_comm_world_only 10 {TYPES[0]} arg=-count=17 arg=-seed=9 arg=-testsize=4",
    ],
    "attr": [f"fkeyvaltype 1 {TYPES[0]} arg=-count=1 arg=-seed=10 arg=-testsize=4"],
    "cxx/attr": [f"fkeyvaltypex 1 {TYPES[0]} arg=-count=1 arg=-seed=11 arg=-testsize=4"],
    "cxx/datatype": [f"packsizex 1 {TYPES[0]} arg=-count=1 arg=-seed=12 arg=-testsize=4"],
    "part": [f"pingping 2 {t} arg=-sendcnt=17 arg=-recvcnt=17 arg=-seed=13 arg=-testsize=1" for t in TYPES],
    "rma": [
        f"{program} 2 {TYPES[index % 2]} arg=-count=17 arg=-seed={20 + index} arg=-testsize=2"
        for index, program in enumerate(
            (
                "accfence1",
                "accpscw1",
                "epochtest",
                "getfence1",
                "lock_contention_dt",
                "lock_dt",
                "lock_dt_flush",
                "lock_dt_flushlocal",
                "lockall_dt",
                "lockall_dt_flush",
                "lockall_dt_flushall",
                "lockall_dt_flushlocal",
                "lockall_dt_flushlocalall",
                "putfence1",
                "putpscw1",
            )
        )
    ],
}


@dataclass(frozen=True)
class Entry:
    """One line of a testlist."""

    folder: str
    program: str
    ranks: int
    args: tuple = ()
    env: tuple = ()  # of NAME=VALUE
    mpiexec: tuple = ()  # options for mpiexec
    expects: str = ""  # TestStatus, TestErrFatal, TestStatusNoErrors; empty: no errors
    memory_gb: float = 0.0
    time_limit: int = 180  # of the package, for mpiexec
    xfail: str = ""  # the package's reason to expect a failure: it does not run these

    @property
    def name(self):
        """`coll/allred -count=10 (n=4)`: unique, and readable in exceptions.json."""
        words = [f"{self.folder}/{self.program}", *self.args, *self.env, f"(n={self.ranks})"]
        return " ".join(words)

    @property
    def base(self):
        return f"{self.folder}/{self.program}"

    @property
    def group(self):
        """The folder of FOLDERS that it is in."""
        return self.folder.split("/")[0]


def folders(source, build):
    """Every folder with a list, and its list's lines."""
    waiting, found = list(FOLDERS), {}
    while waiting:
        folder = waiting.pop(0)
        text = next(
            (
                p.read_text()
                for p in (build / folder / "testlist", source / folder / "testlist")
                if p.exists()
            ),
            "",
        )
        lines = [re.sub(r"#.*", "", line).strip() for line in text.splitlines()]
        # The package lists no folder that it has not configured; those which exist are all meant here.
        below = sorted(p.name for p in (source / folder).iterdir() if any(p.glob("testlist*")))
        waiting += [f"{folder}/{name}" for name in below if name not in EXCLUDED]
        found[folder] = [line for line in lines if line and line.split()[0] not in below]
    return found


def entries(source, build, run_all=False):
    """What the lists and DATATYPES run, each once; run_all: as many ranks as the package asks for."""
    found = {}
    for folder, lines in folders(source, build).items():
        for line in lines + DATATYPES.get(folder, []):
            if "env=MPIR_CVAR_CH4_OFI_" not in line:
                entry = parse(folder, line.split())
                if not run_all and TWO_RANKS.match(entry.base):
                    entry = replace(entry, ranks=min(entry.ranks, 2))
                found.setdefault(entry.name, entry)
    return list(found.values())


def parse(folder, words):
    ranks = min(int(words[1]) if len(words) > 1 else 2, MAX_RANKS)
    values = {"arg": [], "env": [], "mpiexecarg": []}
    single = {}
    for word in words[2:]:
        key, _, value = word.partition("=")
        if key in values:
            values[key].append(value)
        else:
            single[key] = value
    return Entry(
        folder,
        words[0],
        ranks,
        tuple(values["arg"]),
        tuple(values["env"]),
        tuple(values["mpiexecarg"]),
        single.get("resultTest", ""),
        float(single.get("mem", 0)),
        int(single.get("timeLimit", 180)),
        single.get("xfail", ""),
    )

# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's own tests (tests/mpich), one run each: how long with ranks that go ahead, against mpiexec."""
import collections
import os
import pathlib
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "mpich"))
import build  # noqa: E402
import judge  # noqa: E402
import testlist  # noqa: E402

FETCH = HERE.parent / "tests" / "fetch_source.sh"
# of C; the others are the same in Fortran, or what ranks do not go ahead with (docs/decentralized.md)
FOLDERS = ("attr", "coll", "comm", "datatype", "errhan", "group", "info", "init", "pt2pt", "topo")
MOST_S = 30  # for one run
ONE = [
    "-q",
    "--decentralized",
    "--max-interleavings=1",
    "--predict=off",
    "--buffering=zero",
    "--output=first",
]


def fetch(folder):
    """Their entries, and the folder of the programs; None: they cannot be had."""
    if subprocess.run([FETCH, "mpich", folder, "libmpich12", "test/mpi"], check=False).returncode:
        return None
    programs = build.build_folder(folder, False)
    build.configure(folder)
    entries = [e for e in testlist.entries(folder / "source", programs) if is_taken(e)]
    build.compile_programs(folder, entries)
    return [e for e in entries if (programs / e.base).exists()], programs


def is_taken(entry):
    """What is meant to fail says nothing of speed."""
    if entry.group not in FOLDERS:
        return False
    lasts = any(entry.name.startswith(name) for name in testlist.TOO_LONG)
    return not (entry.expects or entry.xfail or lasts or entry.memory_gb > testlist.MAX_MEMORY_GB)


def timed(command, entry):
    """Seconds; None: it did not pass, or not in time."""
    with tempfile.TemporaryDirectory() as folder:  # programs write files where they are
        began = time.monotonic()
        code, output, _ = judge.run(command, judge.environment(entry), MOST_S, folder)
        seconds = time.monotonic() - began
    passed = code in (0, 1, 3) and judge.PASSED.fullmatch(output)
    return seconds if passed else None


def ratios(isp, yielding, folder, runs):
    """By folder of the tests: (isp's time over mpiexec's, mpiexec's seconds, name), medians, for each program
    that passes in both; and how many do not. yielding(ranks, words): the command without isp."""
    found, left_out = collections.defaultdict(list), 0
    entries, programs = fetch(folder) or ([], None)
    for entry in entries:
        words = [str(programs / entry.base), *entry.args]
        plainly = yielding(entry.ranks, words)
        plainly[plainly.index("mpiexec") + 1 : 0] = entry.mpiexec
        launcher = ["--mpiexec", shlex.join(["mpiexec", *entry.mpiexec])] if entry.mpiexec else []
        under_isp = [isp, *ONE, *launcher, "-n", str(entry.ranks), "--", *words]
        pairs = [(timed(plainly, entry), timed(under_isp, entry)) for _ in range(runs)]
        if any(None in pair for pair in pairs):
            left_out += 1
            continue
        plain_s = statistics.median(a for a, _ in pairs)
        found[entry.group].append((statistics.median(b / a for a, b in pairs), plain_s, entry.name))
    return found, left_out

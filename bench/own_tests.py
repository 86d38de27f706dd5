# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's own tests (tests/mpich), one run each: how long with ranks that go ahead, against mpiexec."""
import collections
import pathlib
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


def fetch(folder, isp):
    """Their entries, and judge.Tests; None: they cannot be had. What is meant to fail says nothing of
    speed."""
    if subprocess.run([FETCH, "mpich", folder, "libmpich12", "test/mpi"], check=False).returncode:
        return None
    programs = build.build_folder(folder, False)
    build.configure(folder)
    tests = judge.Tests(isp, programs, MOST_S, [], {}, False, True)
    entries = [
        e
        for e in testlist.entries(folder / "source", programs)
        if e.group in FOLDERS and not e.expects and not tests.skipped(e)
    ]
    build.compile_programs(folder, entries)
    return [e for e in entries if (programs / e.base).exists()], tests


def timed(command, entry):
    """Seconds; None: it did not pass, or not in time."""
    with tempfile.TemporaryDirectory() as folder:  # programs write files where they are
        began = time.monotonic()
        code, output, _ = judge.run(command, judge.environment(entry), MOST_S, folder)
        seconds = time.monotonic() - began
    passed = code in (0, 1, 3) and judge.PASSED.fullmatch(output)
    return seconds if passed else None


def ratios(isp, options, yielding, folder, runs):
    """By folder of the tests: (isp's time over mpiexec's, mpiexec's seconds, name), medians, for each program
    that passes in both; and how many do not. yielding(ranks, words): the command without isp."""
    found, left_out = collections.defaultdict(list), 0
    entries, tests = fetch(folder, isp) or ([], None)
    for entry in entries:
        start, words = tests.isp_command(entry)
        plainly = yielding(entry.ranks, words)
        at = plainly.index("mpiexec") + 1
        plainly[at:at] = entry.mpiexec
        under_isp = [*start, "-q", "--output=first", *options, "--", *words]
        pairs = [(timed(plainly, entry), timed(under_isp, entry)) for _ in range(runs)]
        if any(None in pair for pair in pairs):
            left_out += 1
            continue
        plain_s = statistics.median(a for a, _ in pairs)
        found[entry.group].append((statistics.median(b / a for a, b in pairs), plain_s, entry.name))
    return found, left_out

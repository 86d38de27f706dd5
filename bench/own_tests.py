# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's own tests (tests/mpich), one run each: how long with ranks that go ahead, against mpiexec."""
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
AGAIN_FROM = 1.5


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


def timed(command, entry, **environment):
    """Seconds and exit code; None: it did not pass, or not in time."""
    with tempfile.TemporaryDirectory() as folder:  # programs write files where they are
        began = time.monotonic()
        env = {**judge.environment(entry), **environment}
        code, output, _ = judge.run(command, env, MOST_S, folder)
        seconds = time.monotonic() - began
    passed = code in (0, 1, 3) and judge.PASSED.fullmatch(output)
    return (seconds, code) if passed else None


class Ratio:
    """isp's time over mpiexec's, medians: of one run, and, where that has findings, with what shows their
    callers."""

    def __init__(self, entry, plainly, under_isp):
        self.name, self.group = entry.name, entry.group
        self.entry, self.plainly, self.under_isp = entry, plainly, under_isp
        self.one, self.whole, self.plain_s = None, None, None

    def _pairs(self, runs, **environment):
        return [
            (timed(self.plainly, self.entry), timed(self.under_isp, self.entry, **environment))
            for _ in range(runs)
        ]

    def measure(self, runs):
        """False: it does not pass in both."""
        pairs = self._pairs(runs, ISP_ONCE="1")
        if any(None in pair for pair in pairs):
            return False
        self.plain_s = statistics.median(a for (a, _), _ in pairs)
        self.one = statistics.median(b / a for (a, _), (b, _) in pairs)
        if any(code == 1 for _, (_, code) in pairs):
            pairs = [pair for pair in self._pairs(runs) if None not in pair]
            self.whole = statistics.median(b / a for (a, _), (b, _) in pairs) if pairs else None
        return True


def ratios(isp, options, yielding, folder, runs):
    """A Ratio of each program that passes in both, and how many do not; what takes long is measured again,
    since other processes may have been in the way. yielding(ranks, words): the command without isp."""
    found, left_out = [], 0
    entries, tests = fetch(folder, isp) or ([], None)
    for entry in entries:
        start, words = tests.isp_command(entry)
        plainly = yielding(entry.ranks, words)
        at = plainly.index("mpiexec") + 1
        plainly[at:at] = entry.mpiexec
        ratio = Ratio(entry, plainly, [*start, "-q", "--output=first", *options, "--", *words])
        if ratio.measure(runs):
            found.append(ratio)
        else:
            left_out += 1
    for ratio in found:
        if ratio.one > AGAIN_FROM:
            ratio.measure(max(runs, 5))
    return found, left_out

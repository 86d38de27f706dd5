#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Long runs: what isp and all its processes use stays flat.

Usage: soak.py BUILD [--short] [--other-mpi openmpi|abi] [--only NAME...]

Each case is one isp, with many interleavings or many calls. While it runs, its processes, descriptors, files
in /dev/shm and memory are looked at each time that it has got on; the table is printed. What is asked:

- between the two halves of a case the most processes, descriptors and files of shared memory grow by less
  than one in 100 interleavings (50,000 calls), and the memory of isp, of its workers and of its guard by less
  than one small object for each interleaving (call), that of all ranks by less than four;
- with --trace isp grows by no more than SQLite's cache in all;
- afterwards no process and no file is left, neither in TMPDIR nor in /dev/shm.

Growth between halves is asked for, not sizes; the first third of a case is left out, since it fills caches.
"""
import argparse
import fcntl
import os
import re
import select
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [TESTS, os.path.join(TESTS, "end_to_end")]
import other_mpi  # noqa: E402
from marks import marked, new_mark, setting  # noqa: E402
from processes import sample  # noqa: E402

INTERLEAVINGS = re.compile(rb"isp: (\d+)[^,]* interleavings")
STEPS = re.compile(rb"step (\d+)")
CALLS_PER_STEP = 16  # calls.c
# of SQLite's: what it holds of a trace's smaller tables (cache_size in scheduler/trace/store.c)
CACHE_KB = 16 << 10
SLACK_KB = 2048
COUNTED = ("processes", "descriptors", "isp descriptors", "shm")
# how many of the case's bytes it may grow by
MEMORY = {"isp RSS": 1, "isp": 1, "workers": 1, "guard": 1, "ranks": 4}
# Open MPI's front has 4 bytes for each of the first million requests of a rank
# (adapters/openmpi/handles.c), of which calls.c makes 3 in 16 calls: that is no leak.
REQUESTS_BYTES = {"openmpi": 4 * 3 / CALLS_PER_STEP}
# What leaks is there at any moment; what only happened to be looked at in the middle of a launch is not.
ANY_MOMENT = (min, statistics.median, max)


class Case:
    """long, short: (ranks, arguments, options, how many interleavings or calls, bytes each that are too
    much), or None."""

    def __init__(self, name, program, long, short=None, what="interleavings"):
        self.name, self.program, self.forms, self.what = name, program, {"long": long, "short": short}, what


def orders(ranks, *options, count, bound, rounds=1):
    return ranks, ["0", str(rounds)], options, count, bound


def calls(ranks, wanted, *options, bound):
    steps = wanted // CALLS_PER_STEP // ranks
    return ranks, [str(steps)], options, steps * CALLS_PER_STEP * ranks, bound


ORDERS, CALLS, THREADS = "bench/bench-master_worker", "tests/soak/soak-calls", "tests/soak/soak-threads"
SOURCES = {ORDERS: "bench/master_worker.c", CALLS: "tests/soak/calls.c", THREADS: "tests/soak/threads.c"}
# (n - 1)! interleavings to the power of rounds; 16^rounds with threads. Where one of the first choices comes
# to its last alternative, ranks go on as other processes, whose pages are other ones: 300 KiB in one step.
# The short run ends before the first of them, which is at 6 / 7 of 7!.
CASES = [
    Case(
        "checkpoints",
        ORDERS,
        orders(9, "--max-interleavings=20000", count=20000, bound=16),
        orders(9, "--max-interleavings=4200", count=4200, bound=24),
    ),
    Case("forks alone", ORDERS, orders(8, count=5040, bound=24)),
    Case("two workers", ORDERS, orders(9, "-j2", "--max-interleavings=20000", count=20000, bound=32)),
    Case(
        "launches",
        ORDERS,
        orders(4, "--no-checkpoints", "--max-interleavings=400", count=400, bound=64, rounds=4),
    ),
    Case("trace", ORDERS, orders(8, "--trace", count=5040, bound=64)),
    Case("threads", THREADS, (2, ["5"], ["--max-interleavings=400"], 400, 64)),
    Case("calls", CALLS, calls(4, 10_000_000, bound=0.02), calls(2, 900_000, bound=0.2), what="calls"),
    Case("calls with a trace", CALLS, calls(4, 2_000_000, "--trace", bound=0.1), what="calls"),
]


def terminal():
    """isp shows its progress on a terminal only; 200 columns, so that nothing is cut."""
    mine, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 200, 0, 0))
    return mine, its


def private_shm(words):
    """The command in a mount namespace, if that is allowed: other programs use /dev/shm as well."""
    probe = (
        ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", "--mount"]
    )
    mount = 'mount -t tmpfs none /dev/shm && exec "$@"'
    if (
        shutil.which("unshare")
        and subprocess.run(
            [*probe, "sh", "-c", mount, "sh", "true"], stderr=subprocess.DEVNULL, check=False
        ).returncode
        == 0
    ):
        return [*probe, "sh", "-c", mount, "sh", *words]
    return words


class Run:
    """One isp, and what was seen of it."""

    def __init__(self, build, case, form, programs, mpi=None):
        self.known = {"ranks": REQUESTS_BYTES.get(mpi, 0)} if case.what == "calls" else {}
        self.case, self.samples, self.done, self.said = case, [], 0, b""
        self.ranks, arguments, options, self.count, self.bound = case.forms[form]
        self.shm = None  # its own /dev/shm, if it has one
        self.mark = new_mark()
        self.folder = tempfile.mkdtemp(prefix="isp-soak-")
        self.room = tempfile.mkdtemp(prefix="isp-soak-")
        options = [f"--trace={self.room}/trace" if o == "--trace" else o for o in options]
        self.program = os.path.basename(case.program)
        output = "first" if case.what == "calls" else "none"
        self.command = [
            os.path.join(build, "isp"),
            "--buffering=zero",
            *([] if case.what == "calls" else ["--merge=off", "--predict=off"]),  # many runs are wanted
            f"--output={output}",
            *options,
            "-n",
            str(self.ranks),
            os.path.join(programs, case.program),
            *arguments,
        ]

    def watch(self):
        """Runs isp to its end."""
        environment = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
        environment |= {"TERM": "xterm", "TMPDIR": self.folder} | setting(self.mark)
        if self.case.name == "forks alone":
            environment["ISP_FORK_ONLY"] = "1"
        mine, its = terminal()
        before = set(os.listdir("/dev/shm"))
        self.began = time.monotonic()
        process = subprocess.Popen(
            private_shm(self.command), stdin=subprocess.DEVNULL, stdout=its, stderr=its, env=environment
        )
        os.close(its)
        try:
            self.read(mine, process.pid)
            self.status = process.wait(60)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.wait(60)
            os.close(mine)
        self.seconds = time.monotonic() - self.began
        after = os.listdir("/dev/shm" if self.shm is None else self.shm)
        if self.shm is not None:
            os.close(self.shm)
            before = set()
        self.left = (
            [f"process {name}" for name in marked(self.mark).values()]
            + [f"/dev/shm/{name}" for name in after if name not in before]
            + [f"TMPDIR/{name}" for name in os.listdir(self.folder)]
        )
        shutil.rmtree(self.folder)
        shutil.rmtree(self.room)

    def read(self, terminal_, isp):
        """A sample whenever isp has got a fortieth further."""
        wanted = 0
        while True:
            select.select([terminal_], [], [], 60)
            try:
                part = os.read(terminal_, 65536)
            except OSError:  # isp has closed it
                return
            if not part:
                return
            self.said = (self.said + part)[-4000:]
            found = (STEPS if self.case.what == "calls" else INTERLEAVINGS).findall(self.said)
            if not found:
                continue
            if (
                self.shm is None
                and os.stat(f"/proc/{isp}/ns/mnt").st_ino != os.stat("/proc/self/ns/mnt").st_ino
            ):
                # can be looked at when isp is gone
                self.shm = os.open(f"/proc/{isp}/root/dev/shm", os.O_RDONLY)
            self.done = int(found[-1]) * (CALLS_PER_STEP * self.ranks if self.case.what == "calls" else 1)
            if self.done >= wanted and self.done < self.count:
                wanted = self.done + self.count // 40
                self.samples.append(
                    {
                        "at": self.done,
                        "seconds": time.monotonic() - self.began,
                        **sample(isp, self.mark, self.program),
                    }
                )

    def halves(self):
        rows = [row for row in self.samples if row["at"] >= self.count // 3]
        middle = (rows[0]["at"] + self.count) / 2 if rows else 0
        return [[row for row in rows if row["at"] < middle], [row for row in rows if row["at"] >= middle]]

    def failures(self):
        """What is wrong, as lines."""
        if self.status != 0 and not (
            self.status == 3 and any("--max-interleavings" in word for word in self.command)
        ):
            return [f"isp ended with {self.status}: {self.said.decode(errors='replace')[-600:]}"]
        wrong = [f"left behind: {what}" for what in self.left]
        first, second = self.halves()
        if min(len(first), len(second)) < 3:
            return [*wrong, f"only {len(first)} and {len(second)} samples in the halves: too short a run"]
        between = statistics.mean(r["at"] for r in second) - statistics.mean(r["at"] for r in first)
        allowed = between / (50000 if self.case.what == "calls" else 100)
        for what in COUNTED:
            grown = self.more(what, ANY_MOMENT)
            if grown > allowed:
                wrong.append(f"{what}: {grown:.0f} more in the second half, {allowed:.0f} allowed")
        for what, times in MEMORY.items():
            each = self.growth(what)
            if what.startswith("isp") and "--trace" in self.case.forms["long"][2]:
                more = self.samples[-1][what] - self.samples[0][what]
                if more > CACHE_KB + SLACK_KB:
                    wrong.append(f"{what}: {more} KiB more at the end, with a cache of {CACHE_KB}")
            elif each > (most := times * self.bound + self.known.get(what, 0)):
                wrong.append(
                    f"{what}: grows by {each:.3f} bytes for each of the {self.case.what}, {most} allowed"
                )
        return wrong

    def growth(self, what):
        """Bytes for each interleaving or call, between the medians of the halves; by any moment where
        processes come and go. So does the guard in runs with launches, and isp's memory, shared with it or
        not, has two sizes then: which of them is the median is chance."""
        first, second = self.halves()
        between = statistics.mean(r["at"] for r in second) - statistics.mean(r["at"] for r in first)
        steady = len({r["processes"] for r in first + second}) == 1 and all(
            r["guard"] for r in first + second
        )
        return self.more(what, [statistics.median] if steady else ANY_MOMENT) * 1024 / between

    def more(self, what, measures):
        """How much more there is in the second half, at least."""
        first, second = self.halves()
        return min(of(r[what] for r in second) - of(r[what] for r in first) for of in measures)


def table(run):
    """Before, during and after: nine rows of those that were seen."""
    columns = ["at", "seconds", *COUNTED, *(m for m in MEMORY if any(row[m] for row in run.samples))]
    heads = [run.case.what if c == "at" else c + ", KiB" * (c in MEMORY) for c in columns]
    rows = run.samples[:: max(1, len(run.samples) // 8)]
    if rows and rows[-1] is not run.samples[-1]:
        rows.append(run.samples[-1])
    print("  " + "  ".join(heads))
    for row in rows:
        print(
            "  "
            + "  ".join(
                (f"{row[c]:.1f}" if c == "seconds" else str(row[c])).rjust(len(head))
                for c, head in zip(columns, heads)
            )
        )
    if all(len(half) > 0 for half in run.halves()):
        print(
            "  growth between the halves, bytes for each: "
            + ", ".join(f"{what} {run.growth(what):.3f}" for what in MEMORY)
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--other-mpi", choices=["openmpi", "abi"], help="compile the programs for it")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="isp-soak-programs-") as programs:
        if options.other_mpi:
            for program, source in SOURCES.items():
                other_mpi.compile_one(
                    options.other_mpi, options.build, source, os.path.join(programs, program)
                )
        return run_cases(options, programs if options.other_mpi else options.build)


def run_cases(options, programs):
    form, failed = "short" if options.short else "long", 0
    for case in CASES:
        if not case.forms[form] or (options.only and case.name not in options.only):
            continue
        run = Run(options.build, case, form, programs, options.other_mpi)
        print(f"{case.name}: {run.count} {case.what}\n  {' '.join(run.command)}", flush=True)
        run.watch()
        table(run)
        wrong = run.failures()
        failed += bool(wrong)
        print("".join(f"  {line}\n" for line in wrong), end="")
        print(
            f"{'FAIL' if wrong else 'ok'} {case.name}: {run.count / run.seconds:.0f} {case.what}/s, "
            f"{run.seconds:.0f} s\n",
            flush=True,
        )
    if failed:
        print(
            f"{failed} failed; again: tests/soak/soak.py {options.build}{' --short' * options.short} "
            f"--only NAME"
        )
    return 1 if failed else 0


sys.exit(main())

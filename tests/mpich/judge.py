# SPDX-License-Identifier: BSD-3-Clause
"""What becomes of one entry of MPICH's testlists under isp, and, where that is not the same, under mpiexec.

What a passing program prints is fixed by the package (` No Errors`, nothing else), or that it fails
(`resultTest`); so mpiexec is only asked about an entry that is not like that under isp.
"""
import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

import testlist

PASSED = re.compile(r"(\s*(No [Ee]rrors|Test Passed)\s*\n)+")
# The package's own knob for how much memory a test takes.
ENVIRONMENT = {"MPITEST_MAXBUFFER": str(16 << 20)}
MPIEXEC_SECONDS = 50
FIRST_INTERLEAVING_SECONDS = 120  # ranks that spin, more than there are processors
OPEN_MPI = ["mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe"]
KILL_SECONDS = 20  # what it may take to end by itself after its time
TOO_LATE = "not one interleaving ended in time"
NO_END = "no end within"
# What isp may say about a program that is meant to fail.
FAILURES = ("exit-code", "abort", "crash", "mpi-error", "deadlock", "hang")
FAILS = ("TestStatus", "TestErrFatal")

# What may become of an entry: docs/mpich-tests.md says what each word means.
GOOD = ("same", "bounded", "exception")
BAD = ("unsupported", "slow", "known", "FAIL")
LEFT_OUT = ("not-passing", "late", "skipped")


def is_named(base, programs):
    """Whether an exception's programs have this one; they may be patterns: errors/*"""
    return any(fnmatchcase(base, pattern) for pattern in programs)


@dataclass
class Outcome:
    entry: testlist.Entry
    kind: str  # of GOOD, BAD, LEFT_OUT
    why: str = ""
    functions: tuple = ()  # that isp cannot model
    used: set = field(default_factory=set)  # exceptions that were met
    settled: bool = False  # the exploration was complete: an exception not met is stale
    seconds: float = 0.0


def run(command, env, seconds, folder):
    """(exit code or None if time ran out, stdout, stderr); nothing is left running"""
    with subprocess.Popen(
        command,
        env=env,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as child:
        try:
            output, errors = child.communicate(timeout=seconds)
            return child.returncode, output, errors
        except subprocess.TimeoutExpired:
            child.terminate()
        try:
            output, errors = child.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            output, errors = child.communicate()
        return None, output, errors


def environment(entry):
    return {**os.environ, **ENVIRONMENT, **dict(pair.split("=", 1) for pair in entry.env)}


class Tests:
    def __init__(self, isp, programs, seconds, exceptions, known, run_all, quick, openmpi=False):
        self.isp, self.programs, self.seconds = isp, programs, seconds
        self.exceptions, self.known, self.run_all, self.quick = exceptions, known, run_all, quick
        self.openmpi = openmpi

    def command(self, entry, launcher):
        return [*map(str, launcher), "-n", str(entry.ranks)], [str(self.programs / entry.base), *entry.args]

    def isp_command(self, entry):
        launcher = ["--mpiexec", shlex.join(["mpiexec", *entry.mpiexec])] if entry.mpiexec else []
        return self.command(entry, [self.isp, *launcher])

    def again(self, entry):
        start, program = self.isp_command(entry)
        env = [f"{name}={value}" for name, value in ENVIRONMENT.items()] + list(entry.env)
        return shlex.join(["env", *env, *start, "--", *program])

    def wrong_under_mpiexec(self, entry):
        """why it does not pass there, or None"""
        launcher = OPEN_MPI if self.openmpi else ["mpiexec", *entry.mpiexec]
        start, program = self.command(entry, launcher)
        seconds = entry.time_limit if self.run_all else min(entry.time_limit, MPIEXEC_SECONDS)
        env = {**environment(entry), "MPIEXEC_TIMEOUT": str(seconds)}
        with tempfile.TemporaryDirectory() as folder:  # programs write files where they are
            began = time.monotonic()
            code, output, errors = run(start + program, env, seconds + KILL_SECONDS, folder)
        if entry.expects in FAILS:
            return None if code not in (0, None) else f"meant to fail, and exit code {code}"
        if code is None or (code and time.monotonic() - began >= seconds):
            return f"{NO_END} {seconds} s"
        if code == 0 and PASSED.fullmatch(output) and errors == "":
            return None
        return f"exit code {code}, printed {(output + errors)[:120]!r}"

    def explore(self, entry):
        """(result or None, code, stdout, stderr). The first interleaving has more time than all together."""
        explored = self.explore_for(entry, self.seconds, [])
        if explored[0] and not explored[0]["interleavings"] and not explored[0]["complete"]:
            explored = self.explore_for(entry, FIRST_INTERLEAVING_SECONDS, ["--max-interleavings=1"])
        return explored

    def explore_for(self, entry, seconds, more):
        limit = seconds + KILL_SECONDS
        with tempfile.TemporaryDirectory() as folder, tempfile.NamedTemporaryFile(suffix=".json") as report:
            start, program = self.isp_command(entry)
            options = [
                "--output=first",
                "--timeout=30",
                f"--max-time={seconds}",
                f"--json={report.name}",
                *more,
            ]
            code, output, errors = run([*start, *options, "--", *program], environment(entry), limit, folder)
            try:
                return json.loads(Path(report.name).read_text(encoding="utf-8")), code, output, errors
            except ValueError:
                return None, code, output, errors

    def exception_for(self, entry, finding):
        site = finding["sites"][0] if finding["sites"] else {"call": None, "function": None}
        for number, e in enumerate(self.exceptions):
            if (
                is_named(entry.base, e["programs"])
                and fnmatchcase(finding["rule"], e["rule"])
                and e["call"] in ("any", site["call"])
                and e["function"] in ("any", site["function"])
            ):
                return number
        return None

    def skipped(self, entry):
        """why an entry is not run, or None"""
        if entry.xfail:
            return f"the package does not run it either: it expects it to fail ({entry.xfail})"
        if entry.memory_gb > testlist.MAX_MEMORY_GB:
            return f"needs {entry.memory_gb} GB of memory"
        if not self.run_all:
            return next((why for name, why in testlist.TOO_LONG.items() if entry.name.startswith(name)), None)
        return None

    def judge(self, entry):
        began = time.monotonic()
        why = self.skipped(entry)
        if why:
            return Outcome(entry, "skipped", why)
        if not (self.programs / entry.base).exists():
            if entry.base in testlist.UNCOMPILABLE:
                return Outcome(
                    entry, "not-passing", f"cannot be compiled: {testlist.UNCOMPILABLE[entry.base]}"
                )
            if self.openmpi:
                return Outcome(entry, "not-passing", "cannot be compiled by Open MPI")
            return Outcome(entry, "FAIL", f"was not compiled: see {self.programs}/make.log")
        outcome = self.classify(entry, *self.explore(entry))
        if outcome.kind not in GOOD and not self.quick:
            wrong = self.wrong_under_mpiexec(entry)
            if wrong:
                under_isp = outcome.why or " ".join(outcome.functions)
                late = under_isp == TOO_LATE and wrong.startswith(NO_END)  # nothing is known of it
                outcome = Outcome(
                    entry,
                    "late" if late else "not-passing",
                    f"under mpiexec: {wrong}; under isp: {under_isp}",
                )
        if outcome.kind == "FAIL" and entry.base in self.known:
            outcome.kind = "known"
        outcome.seconds = time.monotonic() - began
        return outcome

    def classify(self, entry, result, code, output, errors):
        if result is None:
            said = errors.strip().splitlines()[-1:] or ["nothing"]
            return Outcome(entry, "FAIL", f"isp wrote no result (exit code {code}): {said[0]}")
        used, wrong, functions, died = set(), [], set(), False
        for finding in result["findings"]:
            if finding["rule"] == "unsupported":
                functions |= {s["call"] for s in finding["sites"]} or {finding["message"]}
            elif entry.expects in FAILS and finding["rule"] in FAILURES:
                died = True
            elif finding["severity"] != "note":
                number = self.exception_for(entry, finding)
                if number is None:
                    wrong.append(describe(finding))
                used.add(number)
        used.discard(None)
        if wrong:
            return Outcome(entry, "FAIL", "; ".join(wrong), used=used)
        if result["interleavings"] == 0 and "interleaving 0 was not over" in (
            result["incomplete_because"] or ""
        ):
            return Outcome(entry, "slow", TOO_LATE, used=used)
        if result["verdict"] == "unsupported":
            if not functions:
                return Outcome(entry, "FAIL", "unsupported without a name", used=used)
            return Outcome(entry, "unsupported", functions=tuple(sorted(functions)), used=used)
        if entry.expects in FAILS:
            if not died:
                return Outcome(entry, "FAIL", "meant to fail, and isp does not say so", used=used)
        elif not PASSED.fullmatch(output):
            return Outcome(entry, "FAIL", f"printed {output[:300]!r}", used=used)
        if not result["complete"]:
            reason = f"{result['incomplete_because']} after {result['interleavings']} interleavings"
            return Outcome(entry, "exception" if used else "bounded", reason, used=used)
        return Outcome(entry, "exception" if used else "same", used=used, settled=True)


def describe(finding):
    site = finding["sites"][0] if finding["sites"] else None
    place = f" at {site['file']}:{site['line']} ({site['call']} in {site['function']})" if site else ""
    return f"{finding['rule']}: {finding['message']}{place}"

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs MPICH's own test programs under isp: each that passes under mpiexec must end there with the
same output and without a false finding, or be `unsupported` by the name of an MPI function.

What a passing program prints is fixed by the package (` No Errors`, nothing else), so mpiexec is only
asked about an entry that is not like that under isp. True findings about the test programs are in
exceptions.json, each with its reason; docs/mpich-tests.md shows them, and is compared with it.

    run.py ISP FOLDER [--only TEXT] [--all] [--seconds S] [--jobs N] [--results FILE]
    run.py --write-docs
"""
import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import testlist

HERE = Path(__file__).resolve().parent
DOCS = HERE.parent.parent / "docs/mpich-tests.md"
PASSED = " No Errors\n"
SKIP = 77  # for meson
# The package's own knob for how much memory a test takes.
ENVIRONMENT = {"MPITEST_MAXBUFFER": str(16 << 20)}
MPIEXEC_SECONDS = 30
FIRST_INTERLEAVING_SECONDS = 120


@dataclass
class Outcome:
    entry: testlist.Entry
    kind: str  # same, bounded, unsupported, exception, not-passing, skipped, FAIL
    why: str = ""
    functions: tuple = ()  # that isp cannot model
    used: set = field(default_factory=set)  # exceptions that were met
    settled: bool = False  # the exploration was complete: an exception not met is stale
    seconds: float = 0.0


def run(command, env, seconds):
    """(exit code or None if time ran out, stdout, stderr); nothing is left running"""
    with subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True) as child:
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
    def __init__(self, isp, folder, seconds, exceptions, run_all):
        self.isp, self.programs, self.seconds = isp, folder / "programs", seconds
        self.exceptions, self.run_all = exceptions, run_all

    def command(self, entry, launcher):
        return [*map(str, launcher), "-n", str(entry.ranks)], [str(self.programs / entry.base), *entry.args]

    def again(self, entry):
        start, program = self.command(entry, [self.isp])
        env = [f"{name}={value}" for name, value in ENVIRONMENT.items()] + list(entry.env)
        return shlex.join(["env", *env, *start, "--", *program])

    def passes_under_mpiexec(self, entry):
        start, program = self.command(entry, ["mpiexec"])
        code, output, errors = run(start + program, environment(entry), MPIEXEC_SECONDS)
        return code == 0 and output == PASSED and errors == ""

    def isp_result(self, entry, launcher, seconds):
        """(result or None, code, stdout, stderr)"""
        with tempfile.NamedTemporaryFile(suffix=".json") as report:
            start, program = self.command(entry, launcher)
            options = ["--output=first", "--timeout=30", f"--json={report.name}"]
            code, output, errors = run([*start, *options, "--", *program], environment(entry), seconds)
            try:
                return json.loads(Path(report.name).read_text(encoding="utf-8")), code, output, errors
            except ValueError:
                return None, code, output, errors

    def explore(self, entry):
        """as isp_result; if not even the first interleaving ended in time, that one alone with more of it"""
        done = self.isp_result(entry, [self.isp], self.seconds)
        if not done[0] or done[0]["interleavings"] > 0 or done[0]["incomplete_because"] != "interrupted":
            return done
        done = self.isp_result(entry, [self.isp, "replay", "--choices=0"], FIRST_INTERLEAVING_SECONDS)
        if done[0] and done[0]["incomplete_because"] == "a replay runs one interleaving":
            if done[0]["choice_points"] == 0:  # which is all there are
                verdict = "clean" if done[0]["verdict"] == "incomplete" else done[0]["verdict"]
                done[0].update(complete=True, incomplete_because=None, verdict=verdict)
            else:
                done[0].update(incomplete_because="only the first interleaving was run")
        return done

    def exception_for(self, entry, finding):
        site = finding["sites"][0] if finding["sites"] else {"call": None, "function": None}
        for number, e in enumerate(self.exceptions):
            if (entry.base in e["programs"] and finding["rule"] == e["rule"]
                    and site["call"] == e["call"] and site["function"] == e["function"]):
                return number
        return None

    def judge(self, entry):
        began = time.monotonic()
        if entry.memory_gb > testlist.MAX_MEMORY_GB:
            return Outcome(entry, "skipped", f"needs {entry.memory_gb} GB of memory")
        if entry.base in testlist.TOO_LONG and not self.run_all:
            return Outcome(entry, "skipped", testlist.TOO_LONG[entry.base])
        result, code, output, errors = self.explore(entry)
        outcome = self.classify(entry, result, code, output, errors)
        if outcome.kind == "FAIL" and not self.passes_under_mpiexec(entry):
            outcome = Outcome(entry, "not-passing", f"under isp: {outcome.why}")
        outcome.seconds = time.monotonic() - began
        return outcome

    def classify(self, entry, result, code, output, errors):
        if result is None:
            said = errors.strip().splitlines()[-1:] or ["nothing"]
            return Outcome(entry, "FAIL", f"isp wrote no result (exit code {code}): {said[0]}")
        used, wrong, functions = set(), [], set()
        for finding in result["findings"]:
            if finding["rule"] == "unsupported":
                functions |= {s["call"] for s in finding["sites"]} or {finding["message"]}
            elif finding["severity"] != "note":
                number = self.exception_for(entry, finding)
                if number is None:
                    wrong.append(describe(finding))
                used.add(number)
        used.discard(None)
        if wrong:
            return Outcome(entry, "FAIL", "; ".join(wrong), used=used)
        if result["verdict"] == "unsupported":
            if not functions:
                return Outcome(entry, "FAIL", "unsupported without a name", used=used)
            return Outcome(entry, "unsupported", functions=tuple(sorted(functions)), used=used)
        if output != PASSED:
            return Outcome(entry, "FAIL", f"printed {output!r}", used=used)
        if not result["complete"]:
            reason = f"{result['incomplete_because']} after {result['interleavings']} interleavings"
            if used:
                return Outcome(entry, "exception", reason, used=used)
            return Outcome(entry, "bounded", reason)
        return Outcome(entry, "exception" if used else "same", used=used, settled=True)


def describe(finding):
    site = finding["sites"][0] if finding["sites"] else None
    place = f" at {site['file']}:{site['line']} ({site['call']} in {site['function']})" if site else ""
    return f"{finding['rule']}: {finding['message']}{place}"


def stale(exceptions, outcomes):
    """exceptions that nothing needs, though their programs were explored completely"""
    met = set().union(*(o.used for o in outcomes))
    settled = {o.entry.base for o in outcomes if o.settled}
    return [e for number, e in enumerate(exceptions) if number not in met and settled >= set(e["programs"])]


def summary(outcomes):
    kinds = Counter(o.kind for o in outcomes)
    ran = [o for o in outcomes if o.kind not in ("skipped", "not-passing")]
    functions = Counter(f for o in outcomes for f in o.functions)
    for o in outcomes:
        if o.kind in ("bounded", "skipped", "not-passing"):
            print(f"{o.kind}: {o.entry.name}: {o.why}")
    if functions:
        print("unsupported, by function:", ", ".join(f"{f} {n}" for f, n in functions.most_common()))
    good = kinds["same"] + kinds["bounded"] + kinds["exception"]
    print(f"{len(outcomes)} entries of MPICH's testlists: {len(ran)} run, {kinds['same']} the same, {kinds['bounded']} the same "
          f"as far as explored, {kinds['exception']} with true findings, {kinds['unsupported']} unsupported, {kinds['FAIL']} FAIL; "
          f"{kinds['not-passing']} do not pass under mpiexec, {kinds['skipped']} skipped")
    if ran:
        print(f"share that ends as under mpiexec: {100 * good / len(ran):.1f} % ({good} of {len(ran)})")


def docs_table(exceptions):
    rows = ["| program | rule | call | why it is true |", "|---|---|---|---|"]
    for e in sorted(exceptions, key=lambda e: (e["rule"], e["programs"])):
        rows.append(f"| {', '.join(e['programs'])} | `{e['rule']}` | `{e['call']}` in `{e['function']}` | {e['reason']} |")
    return "\n".join(rows)


def docs_text(exceptions):
    """the document with its table made anew"""
    start, end = "<!-- table -->\n", "\n<!-- end of table -->"
    before, _, rest = DOCS.read_text(encoding="utf-8").partition(start)
    return before + start + docs_table(exceptions) + end + rest.partition(end)[2]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("isp", nargs="?")
    options.add_argument("folder", nargs="?", type=Path)
    options.add_argument("--only", default="", help="only entries whose name contains this")
    options.add_argument("--all", action="store_true", help="also what takes too long for every day")
    options.add_argument("--seconds", type=float, default=15, help="time for an entry, then it counts as bounded")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--results", type=Path, help="write what happened to each entry there")
    options.add_argument("--write-docs", action="store_true", help="bring the table in docs/mpich-tests.md up to date")
    o = options.parse_args()
    exceptions = json.loads((HERE / "exceptions.json").read_text(encoding="utf-8"))
    if o.write_docs:
        DOCS.write_text(docs_text(exceptions), encoding="utf-8")
        return 0
    folder = o.folder.resolve()
    if subprocess.run([HERE / "fetch.sh", folder], check=False).returncode:
        print("skipped: MPICH's sources cannot be fetched here")
        return SKIP
    subprocess.run([sys.executable, HERE / "build.py", folder], check=True)

    tests = Tests(Path(o.isp).resolve(), folder, o.seconds, exceptions, o.all)
    entries = [e for e in testlist.entries(folder / "source") if o.only in e.name]
    outcomes = []
    with ThreadPoolExecutor(o.jobs) as pool:
        for outcome in pool.map(tests.judge, entries):
            outcomes.append(outcome)
            if outcome.kind == "FAIL":
                print(f"FAIL {outcome.entry.name}: {outcome.why}\n     again: {tests.again(outcome.entry)}", flush=True)
            elif outcome.kind not in ("skipped", "not-passing"):
                print(f"ok   {outcome.entry.name}", flush=True)
    unneeded = stale(exceptions, outcomes)
    for e in unneeded:
        print(f"FAIL exceptions.json: no longer met: {e['rule']} of {', '.join(e['programs'])}")
    current = DOCS.read_text(encoding="utf-8") == docs_text(exceptions)
    print("ok   docs" if current else "FAIL docs/mpich-tests.md is not up to date: tests/mpich/run.py --write-docs")
    summary(outcomes)
    if o.results:
        o.results.write_text("".join(f"{x.seconds:6.2f} {x.kind:11} {x.entry.name}: {x.why}{' '.join(x.functions)}\n"
                                     for x in outcomes), encoding="utf-8")
    return 1 if unneeded or not current or any(x.kind == "FAIL" for x in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main())

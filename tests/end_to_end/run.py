#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs isp on the programs of expected.toml, tests/rules, tests/mean and docs/rules and compares what it
says.

Each entry is run in the default mode (verdict, rules, lines, exit code, complete), and with
zero and infinite buffering (rules, interleavings, deadlocked interleavings). Then the replay
command of each finding that an interleaving shows must show it again. After each run no process and
no temporary file of it may be left: processes are known by a variable in their environment, which
all that isp starts inherits. README.md describes expected.toml.

What came of each entry is kept in BUILD_DIR/end_to_end.json, for rule_table.py.

With --alike=OPTIONS each entry is run in the default mode only, without and with these options of isp: the
two results must be the same but for the seconds, unless the exploration was not complete. Words NAME=VALUE
before the options are for the environment. It may be given more than once: all are compared with the one run
without (`./dev alike`).

With --one-of=K a K-th of the entries is run, with --modes-one-of=K a K-th also with zero and infinite
buffering; each week another one, and all for ./dev test --all (../week.py).

With --openmpi=FOLDER the programs are compiled by Open MPI first, to that folder, with --abi=FOLDER for the
standard ABI of MPI 5; those that need what that MPI does not have are named, and left out.

usage: run.py ISP BUILD_DIR [--filter GLOB] [--jobs N] [--alike=OPTIONS]... [--one-of K] [--modes-one-of K]
[--openmpi FOLDER | --abi FOLDER]
"""

import argparse
import concurrent.futures
import fcntl
import fnmatch
import glob
import itertools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib

import other_mpi
import pages
import rules_h

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import OF_RUNS, alike_findings  # noqa: E402
import checked_states  # noqa: E402
import week  # noqa: E402
from marks import marked, new_mark, setting  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TIME_LIMIT_S = 120
GRACE_S = 3  # for the last processes to end
FOLDERS = ("umpire-suite", "tests/programs", "tests/fortran", "tests/cxx")
RULES, MEAN = "tests/rules", "tests/mean"  # whose programs need no entry
OUTCOMES = "end_to_end.json"  # {name of an entry: did it show what it should}; in the build folder
NOTES = rules_h.of_severity("NOTE")
LANGUAGES = (".c", ".cc", ".f", ".f90", ".F90")
KEYS = {
    "program",
    "source",
    "says",
    "hides",
    "n",
    "args",
    "options",
    "stdin",
    "time_limit",
    "verdict",
    "exit",
    "complete",
    "rules",
    "lines",
    "zero",
    "infinite",
    "zero_deadlocked",
    "infinite_deadlocked",
    "zero_rules",
    "infinite_rules",
    "model",
    "threads",
    "notes",
    "interleavings",
}
VERDICT_EXIT = {"clean": 0, "findings": 1, "incomplete": 3, "unsupported": 3}
REPLAYED = {
    "deadlock",
    "unsafe-buffering",
    "livelock",
    "collective-mismatch",
    "collective-root-mismatch",
    "collective-op-mismatch",
    "truncation",
    "lost-message",
    "missing-wait",
    "assertion",
    "crash",
    "abort",
}
# They end a run while other ranks still go on.
ENDS_RUN = {"abort", "assertion", "crash", "exit-code", "thread-level", "collective-root-mismatch"}


# What --decentralized does not show: docs/decentralized.md, "What is different".
NOT_AHEAD = {
    "tests/rules/receive-buffer-accessed_arrived",
    "tests/rules/receive-buffer-accessed_copy",
    "tests/mean/polls_counted",
    # either of two ranks may be told of: the first interleaving decides
    "tests/programs/orphan_sometimes",
    "tests/programs/ready_send_wildcard",
}


class Failure(Exception):
    pass


def marks(source):
    """{rule: {line: must it be hit}} of the comments `@rule` (or `@rule?`: may be hit) in a program; in C,
    C++ or Fortran."""
    found = {}
    with open(source, encoding="utf-8") as stream:
        for number, line in enumerate(stream, 1):
            for comment in re.findall(r"(?:/\*|//|!)((?: @[a-z-]+\??)+)(?: \*/|$)", line):
                for word in comment.split():
                    found.setdefault(word.strip("@?"), {})[number] = not word.endswith("?")
    return found


def asked(source):
    """(ranks, options) of the comment `isp -n 3 --memory=watch` in the first lines of a program; 2 ranks
    without."""
    with open(source, encoding="utf-8") as stream:
        head = "".join(stream.readlines()[:4])
    comment = re.search(r"(?:/\*|//|!) isp -n (\d+)(.*?)(?:\*/|$)", head, re.MULTILINE)
    return (int(comment[1]), comment[2].split()) if comment else (2, [])


def looks_at_clock(source):
    with open(source, encoding="utf-8") as stream:
        return re.search(r"\bMPI_Wtime\b|\bclock_gettime\b|\btime\(NULL\)", stream.read()) is not None


def own_source(program):
    """The source file that has the name of a program of the tests, whatever its language; or ""."""
    return next(
        (path for path in glob.glob(os.path.join(ROOT, program + ".*")) if path.endswith(LANGUAGES)), ""
    )


def has_twin(source):
    """Whether a source is two programs: NAME, and compiled with -DTWIN its twin, NAME_ok."""
    with open(source, encoding="utf-8") as stream:
        return re.search(r"^#if.*\bTWIN\b", stream.read(), re.MULTILINE) is not None


def source_of(program):
    """(source file, is the program its twin); ("", False) if it has none."""
    source = own_source(program)
    if source or not program.endswith("_ok"):
        return source, False
    source = own_source(program.removesuffix("_ok"))
    return (source, True) if source and has_twin(source) else ("", False)


def programs_of(source):
    """(name, is it the twin) of the one or two programs that a source is."""
    name = os.path.splitext(os.path.relpath(source, ROOT))[0]
    return [(name, False), (name + "_ok", True)] if has_twin(source) else [(name, False)]


class Entry:
    def __init__(self, name, table):
        unknown = set(table) - KEYS
        if unknown:
            sys.exit(f"expected.toml: {name}: unknown keys {sorted(unknown)}")
        self.name, self.table = name, table
        self.program = table.get("program", name)
        self.source, twin = source_of(table.get("source", self.program))
        given = set(table.get("rules", []))
        self.rules, self.notes = given - NOTES, given & NOTES
        self.compared_notes = set(table.get("notes", self.notes))
        self.verdict = table.get("verdict", "findings" if self.rules else "clean")
        self.clock = bool(self.source) and looks_at_clock(self.source)
        self.lines = table.get("lines", True)
        self.marks = marks(self.source) if self.source and not twin else {}  # a twin has no finding
        if self.lines and set(self.marks) != given:
            sys.exit(
                f"expected.toml: {name}: rules {sorted(given)}, but the program marks {sorted(self.marks)}"
            )

    def rules_with(self, mode):
        """The rules that a run with --buffering=mode must show; None: not compared."""
        given = self.table.get(f"{mode}_rules")
        if given is not None:
            return None if given == "skip" else set(given)
        without = self.rules - {"unsafe-buffering"}
        return without | {"deadlock"} if mode == "zero" and without != self.rules else without


# ---- one run ----


def until_none(look, limit_s):
    """What look() still finds after at most limit_s."""
    end = time.monotonic() + limit_s
    while (found := look()) and time.monotonic() < end:
        time.sleep(0.02)
    return found


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Runner:
    def __init__(self, isp, build, alike, modes_one_of, compiler):
        self.isp, self.build = os.path.abspath(isp), os.path.abspath(build)
        self.alike = alike  # the options of --alike
        self.compiler = compiler  # of --openmpi and --abi, or None
        self.newer = {}  # names of what it does not compile -> why
        self.modes_one_of = modes_one_of

    def run(self, entry, folder, label, words, variables=()):
        """Runs one command, with these NAME=VALUE besides; the JSON result, if there is one, and its exit
        code."""
        result = os.path.join(folder, f"{label}.json")
        command = [word.replace("{json}", result).replace("{tmp}", folder) for word in words]
        temporary = os.path.join(folder, "t")
        os.makedirs(temporary, exist_ok=True)
        mark = new_mark()
        environment = {**os.environ, **setting(mark), "TMPDIR": temporary}
        for name in [name for name in environment if name.startswith("ISP_") and name != "ISP_FORK_ONLY"]:
            del environment[name]
        states = os.path.join(folder, f"{label}.states")
        environment[checked_states.VARIABLE] = states
        environment.update(variable.split("=", 1) for variable in variables)
        with open(os.path.join(folder, f"{label}.command"), "w", encoding="utf-8") as stream:
            stream.write(shlex.join([*variables, *command]) + "\n")
        limit = entry.table.get("time_limit", TIME_LIMIT_S)
        with open(os.path.join(folder, f"{label}.out"), "wb") as out, open(
            os.path.join(folder, f"{label}.err"), "wb"
        ) as err:
            # A session of its own: what is typed at the terminal does not reach it.
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                cwd=folder,
                env=environment,
                start_new_session=True,
            )
            try:
                process.communicate(entry.table.get("stdin", "").encode(), timeout=limit)
            except subprocess.TimeoutExpired:
                kill([*marked(mark), process.pid])
                process.wait()
                raise Failure(f"{label}: not ended after {limit} s") from None
        left = until_none(lambda: marked(mark), GRACE_S)
        if left:
            kill(left)
            raise Failure(f"{label}: processes left: {left}")
        files = until_none(lambda: os.listdir(temporary), 0.5)
        if files:
            raise Failure(f"{label}: temporary files left: {files}")
        many, unlike = checked_states.read(states)
        if unlike:
            raise Failure(f"{label}: {unlike}")
        if not os.path.exists(result):
            return None, process.returncode
        with open(result, encoding="utf-8") as stream:
            return json.load(stream), process.returncode

    def words(self, entry, options):
        return [
            self.isp,
            "--json",
            "{json}",
            *options,
            *entry.table.get("options", []),
            "-n",
            str(entry.table["n"]),
            "--",
            os.path.join(self.build, entry.program),
            *entry.table.get("args", []),
        ]

    # ---- comparing ----

    def compare(self, entry, folder):
        ways = [way for way in self.alike if "--decentralized" not in way or goes_ahead(entry)]
        one, code = self.run(entry, folder, "without", self.words(entry, []))
        self.check_code(entry, code)  # two that fail are alike too
        for number, way in enumerate(ways):
            words = shlex.split(way)
            variables = list(itertools.takewhile(lambda word: re.match(r"\w+=", word), words))
            remove_traces(folder)
            command = self.words(entry, words[len(variables) :])
            other, other_code = self.run(entry, folder, f"with{number}", command, variables)
            if code != other_code or (one is None) != (other is None):
                raise Failure(f"exit code {code}, and {other_code} with {way}")
            if one is not None and one["complete"]:
                compare = compare_decentralized if "--decentralized" in words else compare_results
                compare(entry, one, other, way)

    def check_code(self, entry, code):
        want = entry.table.get("exit", VERDICT_EXIT.get(entry.verdict))
        if code != want:
            raise Failure(f"exit code {code}, expected {want}")

    def default_mode(self, entry, folder):
        result, code = self.run(entry, folder, "auto", self.words(entry, []))
        self.check_code(entry, code)
        with open(os.path.join(folder, "auto.err"), encoding="utf-8", errors="replace") as stream:
            said = stream.read()
        if entry.table.get("says", "") not in said:
            raise Failure(f"does not say {entry.table['says']!r}")
        if "hides" in entry.table and entry.table["hides"] in said:
            raise Failure(f"says {entry.table['hides']!r}")
        if entry.verdict == "none":
            return []
        if result is None:
            raise Failure("no JSON result")
        self.check_findings(entry, result["findings"])
        if result["verdict"] != entry.verdict:
            raise Failure(f"verdict {result['verdict']}, expected {entry.verdict}")
        complete = entry.table.get("complete", True)
        if complete != "any" and result["complete"] != complete:
            raise Failure(f"complete is {result['complete']}: {result['incomplete_because']}")
        if result["interleavings"] != entry.table.get("interleavings", result["interleavings"]):
            raise Failure(f"{result['interleavings']} interleavings, expected {entry.table['interleavings']}")
        return result["findings"]

    def check_findings(self, entry, findings):
        findings = [f for f in findings if f["severity"] != "note" or f["rule"] in entry.compared_notes]
        rules = {f["rule"] for f in findings}
        if rules != entry.rules | entry.notes:
            raise Failure(f"rules {sorted(rules)}, expected {sorted(entry.rules | entry.notes)}")
        if not entry.lines:
            return
        hit = set()
        for finding in findings:
            line = first_line(finding, entry.source)
            if line not in entry.marks[finding["rule"]]:
                raise Failure(
                    f"{finding['rule']} at line {line}, expected {sorted(entry.marks[finding['rule']])}"
                )
            hit.add((finding["rule"], line))
        for rule, lines in entry.marks.items():
            missing = [line for line, must in lines.items() if must and (rule, line) not in hit]
            if missing:
                raise Failure(f"no {rule} at line {missing}")

    def mode(self, entry, folder, mode):
        wanted, rules = entry.table.get(mode), entry.rules_with(mode)
        if wanted is None or rules is None:
            return
        result, _ = self.run(entry, folder, mode, self.words(entry, [f"--buffering={mode}"]))
        if result is None:
            raise Failure(f"{mode}: no JSON result")
        if result["interleavings"] != wanted:
            raise Failure(f"{mode}: {result['interleavings']} interleavings, expected {wanted}")
        # With zero buffering alone nothing says whether a buffer would help.
        alike = {"unsafe-buffering": "deadlock"} if mode == "zero" else {}
        found = {alike.get(f["rule"], f["rule"]) for f in result["findings"] if f["severity"] != "note"}
        if found != rules:
            raise Failure(f"{mode}: rules {sorted(found)}, expected {sorted(rules)}")
        if "model" in entry.table:
            wanted = entry.table.get(f"{mode}_deadlocked", 0)
            if result["deadlocked_interleavings"] != wanted:
                raise Failure(
                    f"{mode}: {result['deadlocked_interleavings']} deadlocked interleavings, "
                    f"expected {wanted}"
                )

    def replay(self, entry, folder, number, finding):
        if finding["rule"] not in REPLAYED or not finding.get("replay"):
            return
        words = shlex.split(finding["replay"])
        if words[:2] != ["isp", "replay"]:
            raise Failure(f"replay command: {finding['replay']}")
        label = f"replay{number}"
        result, _ = self.run(entry, folder, label, [self.isp, "replay", "--json", "{json}", *words[2:]])
        if result is None:
            raise Failure(f"{label}: no JSON result")
        key = finding["rule"], first_line(finding, entry.source)
        shown = [(f["rule"], first_line(f, entry.source)) for f in result["findings"]]
        if key not in shown:
            raise Failure(f"{label} shows {shown}, expected {key}")

    def compile_page(self, entry):
        complaint = pages.compile_program(entry.source)
        if complaint:
            raise Failure(complaint)

    def check_often(self, entry, times):
        """(the first complaint in so many runs, or None; seconds)."""
        start = time.monotonic()
        for number in range(times):
            why = self.check(entry)
            if why:
                break
        complaint = f"in run {number + 1} of {times}: {why}" if why and times > 1 else why
        return complaint, time.monotonic() - start

    def check(self, entry):
        """None, or why it failed."""
        folder = tempfile.mkdtemp(prefix="e2e-")  # short: a Unix socket will be below it
        try:
            if entry.program.startswith(pages.FOLDER):
                self.compile_page(entry)
            if self.compiler:
                self.compiler.build(entry)
            there = os.path.exists(os.path.join(self.build, entry.program))
            if not there and entry.verdict != "none":  # an entry without a verdict is of no program
                raise Failure(f"{entry.program} is not built: ./dev build")
            if self.alike:
                self.compare(entry, folder)
                shutil.rmtree(folder)
                return None
            findings = self.default_mode(entry, folder)
            if week.takes(entry.name, self.modes_one_of):
                self.mode(entry, folder, "zero")
                self.mode(entry, folder, "infinite")
            for number, finding in enumerate(findings):
                self.replay(entry, folder, number, finding)
        except other_mpi.Newer as newer:
            self.newer[entry.name] = str(newer)
        except (Failure, OSError, KeyError, ValueError, RuntimeError) as failure:
            newest = max(glob.glob(os.path.join(folder, "*.command")), key=os.path.getmtime, default=None)
            again = open(newest, encoding="utf-8").read().strip() if newest else "-"
            what = failure if isinstance(failure, Failure) else repr(failure)
            return f"{what}\n    folder: {folder}\n    again:  {again}"
        shutil.rmtree(folder)
        return None


def remove_traces(folder):
    """What a program has left in its folder: another run begins without."""
    for path in glob.glob(os.path.join(folder, "*")):
        if not path.endswith((".json", ".command", ".out", ".err")):
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)


def told_in_time(findings):
    """Findings without what depends on time if one of them ends the run: what others do meanwhile, and who of
    several ranks that run into it is first."""
    if not ENDS_RUN & {finding["rule"] for finding in findings}:
        return findings
    return [
        (f["rule"], f["severity"], f["interleaving"], [(s["file"], s["line"]) for s in f["sites"][:1]])
        for f in findings
    ]


def compare_results(entry, one, other, way):
    ignored = {"seconds", "invocation"}
    merged = one["states"] or other["states"]
    if merged:
        ignored |= set(OF_RUNS)
    # how often a rank polls depends on time: until it is certain that nothing comes, or as the program says
    rules = {f["rule"] for f in one["findings"]}
    if entry.clock or {"livelock", *ENDS_RUN} & rules:
        ignored.add("calls")
    if ENDS_RUN & rules:  # so does what else the run had come to, as whether a second thread had called
        ignored.add("assumptions")
    for key in one:
        results = [told_in_time(result[key]) if key == "findings" else result[key] for result in (one, other)]
        if merged and key == "findings" and isinstance(results[0], list) and not ENDS_RUN & rules:
            results = [alike_findings(findings) for findings in results]
        if key not in ignored and results[0] != results[1]:
            raise Failure(f"{key}: {json.dumps(one[key])}, and with {way} {json.dumps(other[key])}")


def goes_ahead(entry):
    """Whether --decentralized is to show the same: which error is the first, and which
    interleavings are the first, is nobody's to say."""
    options = entry.table.get("options", [])
    return (
        not {"--stop-at-first", "--max-interleavings", "--memory=watch"} & set(options)
        and entry.name not in NOT_AHEAD
    )


def compare_decentralized(entry, one, other, way):
    """Which interleaving comes first differs, and with it what is told of one: which ranks, and where, must
    not."""

    def of_finding(f):
        sites = sorted({(s["rank"] or 0, s["file"] or "", s["line"] or 0) for s in f["sites"]})
        return f["rule"], f["severity"], f["ranks"], sites

    def told(result):
        findings = alike_findings(result["findings"])
        if ENDS_RUN & {f["rule"] for f in findings}:
            return sorted({(f["rule"], first_line(f, entry.source) or 0) for f in findings})
        return sorted(of_finding(f) for f in findings)

    for key in ("verdict", "complete", "interleavings", "deadlocked_interleavings"):
        if one[key] != other[key]:
            raise Failure(f"{key}: {one[key]}, and with {way} {other[key]}")
    if told(one) != told(other):
        raise Failure(f"findings: {told(one)}, and with {way} {told(other)}")


def first_line(finding, source):
    """The line of the finding's first place, or the one that is shown in its stead, if that is in the
    program."""
    for site in finding["sites"][:1]:
        for at in (site, site.get("shown", site)):
            if os.path.basename(at.get("file") or "") == os.path.basename(source):
                return at["line"]
    return None


# ---- what is left in the end ----


def shared_memory():
    return set(glob.glob("/dev/shm/*"))


def orphaned(before):
    """Shared memory that came since `before` and that no process has mapped."""
    new = shared_memory() - before
    if not new:
        return []
    used = ""
    for path in glob.glob("/proc/[0-9]*/maps"):
        try:
            with open(path, encoding="utf-8", errors="replace") as stream:
                used += stream.read()
        except OSError:
            continue
    return sorted(path for path in new if path not in used and os.path.exists(path))


def rule_of(name):
    """The rule that a program of tests/rules or docs/rules is about."""
    return os.path.basename(name).split("_")[0]


def add_rule_program(table, name, path, twin=False):
    """The entry of a program of tests/rules or docs/rules, from its comments; what the table has for it goes
    first."""
    ranks, options = asked(path)
    rules = [] if twin else sorted(marks(path))
    made = {"n": ranks, "rules": rules, "options": options, "notes": sorted({rule_of(name)} & NOTES)}
    if rules:
        made["complete"] = "any"  # many end at their error
    if rules == ["unsupported"]:
        made["verdict"] = "unsupported"
    table[name] = {**made, **table.get(name, {})}


def add_mean_programs(table, path):
    """The two entries of a program of tests/mean, from its comments (tests/mean/README.md)."""
    ranks, options = asked(path)
    with open(path, encoding="utf-8") as stream:
        text = stream.read()
    for name, twin in programs_of(path):
        rules = [] if twin else sorted(marks(path))
        incomplete = re.search(rf"/\* {'twin ' * twin}incomplete: (.*?) \*/", text)
        count = re.search(r"/\* interleavings .*?twin (\d+)" if twin else r"/\* interleavings (\d+)", text)
        entry = {"n": ranks, "options": options, "rules": rules, "complete": not incomplete}
        if rules and not incomplete:
            entry["complete"] = "any"  # many end at their error
        if rules == ["unsupported"]:
            entry["verdict"] = "unsupported"
        if incomplete:
            entry["says"] = incomplete[1]
            entry["verdict"] = "findings" if rules else "incomplete"
        if count:
            entry["interleavings"] = int(count[1])
        table[name] = entry


def load(build):
    """All entries. The programs of docs/rules are written to the build folder."""
    with open(os.path.join(HERE, "expected.toml"), "rb") as stream:
        table = tomllib.load(stream)
    for path in sorted(glob.glob(os.path.join(ROOT, RULES, "*"))):
        if path.endswith(LANGUAGES):
            for name, twin in programs_of(path):
                add_rule_program(table, name, path, twin)
    for name, path in pages.extract(build):
        add_rule_program(table, name, path)
        table[name]["source"] = os.path.splitext(path)[0]
    for path in sorted(glob.glob(os.path.join(ROOT, MEAN, "*.c"))):
        add_mean_programs(table, path)
    entries = [Entry(name, values) for name, values in table.items()]
    programs = {
        name
        for folder in FOLDERS
        for path in glob.glob(os.path.join(ROOT, folder, "*"))
        if path.endswith(LANGUAGES)
        for name, _ in programs_of(path)
    }
    missing = programs - {entry.program for entry in entries}
    if missing:
        sys.exit(f"expected.toml has no entry for {sorted(missing)}")
    return entries


def keep_outcomes(build, outcomes):
    """Adds them to those of the other entries, which another run has made."""
    with open(os.path.join(build, OUTCOMES), "a+", encoding="utf-8") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.seek(0)
        text = stream.read()
        kept = {**json.loads(text or "{}"), **outcomes}
        stream.truncate(0)
        json.dump(kept, stream, indent=1, sort_keys=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("isp")
    parser.add_argument(
        "build", help="the build folder: programs are below it as their sources are below the root"
    )
    parser.add_argument("--filter", default="*", help="names of entries to run, e.g. 'umpire-suite/*'")
    parser.add_argument(
        "-j", "--jobs", type=int, default=3, help="3: on two cores, since many programs wait most of the time"
    )
    parser.add_argument(
        "--repeat", type=int, default=1, metavar="K", help="each entry K times: all must be right"
    )
    parser.add_argument(
        "--one-of",
        type=int,
        default=1,
        metavar="K",
        help="only the K-th part of the entries whose turn it is this week (../week.py)",
    )
    parser.add_argument(
        "--modes-one-of",
        type=int,
        default=1,
        metavar="K",
        help="zero and infinite buffering for such a part only: the default mode takes both in",
    )
    parser.add_argument(
        "--alike",
        action="append",
        default=[],
        metavar="OPTIONS",
        help="compare with what isp says with these options, e.g. --alike='-j 2'",
    )
    others = parser.add_mutually_exclusive_group()
    for mpi, how in ("openmpi", "by Open MPI"), ("abi", "for the standard ABI of MPI 5"):
        others.add_argument(
            f"--{mpi}",
            metavar="DIRECTORY",
            help=f"compile the programs {how}, to this folder; what is expected is the same",
        )
    options = parser.parse_args()
    entries = [entry for entry in load(options.build) if fnmatch.fnmatchcase(entry.name, options.filter)]
    if not entries:
        sys.exit(f"no entry matches {options.filter}")
    due = [entry for entry in entries if week.takes(entry.name, options.one_of)]
    if max(options.one_of, options.modes_one_of) > 1:
        both = sum(week.takes(entry.name, options.modes_one_of) for entry in due)
        print(
            f"{week.told(len(due), len(entries))}; {both} also with zero and infinite buffering", flush=True
        )
    entries = due
    before, failed, start = shared_memory(), 0, time.monotonic()
    compiler = None
    for mpi in ("openmpi", "abi"):
        folder = getattr(options, mpi)
        if folder:
            compiler = other_mpi.Compiler(mpi, options.build, os.path.abspath(folder))
    if compiler:  # programs that need no MPI at all are of no interest here
        entries = [entry for entry in entries if entry.source and entry.verdict != "none"]
    build = compiler.folder if compiler else options.build
    runner = Runner(options.isp, build, options.alike, options.modes_one_of, compiler)
    outcomes = {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = {pool.submit(runner.check_often, entry, options.repeat): entry for entry in entries}
        for done in concurrent.futures.as_completed(running):
            (why, seconds), name = done.result(), running[done].name
            failed += why is not None
            outcomes[name] = why is None
            print(f"FAIL {name}: {why}" if why else f"ok {name} ({seconds:.1f} s)", flush=True)
    for name, what in sorted(runner.newer.items()):
        print(f"left out {name}: {what}")
    if not options.alike and not compiler:
        keep_outcomes(options.build, outcomes)
    for path in glob.glob("/dev/shm/checkpoint_*"):  # which programs of tests/mean leave on purpose
        os.remove(path)
    left = until_none(lambda: orphaned(before), GRACE_S)
    if left:
        failed += 1
        print(f"FAIL left behind: {left}")
    what = "differ" if options.alike else "failed"
    ran = len(entries) - len(runner.newer)
    print(f"{ran} programs, {failed} {what}, {time.monotonic() - start:.0f} s")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

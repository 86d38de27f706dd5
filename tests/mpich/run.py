#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs MPICH's own test programs under isp: each that passes under mpiexec must end there with the
same output and without a false finding, or be `unsupported` by the name of an MPI function; and of
all that pass under mpiexec, LEAST_SHARE % must not be unsupported.

True findings about the test programs are in exceptions.json, programs that isp is known not to run
as mpiexec does in known.json (they count against the share), each with its reason. docs/mpich-tests.md
shows both, and is compared with them.

    run.py ISP FOLDER [--sample [SEED]] [--only TEXT] [--all] [--quick] [--openmpi] [--seconds S] [--jobs N]
    [--results FILE]
    run.py --write-docs [--results FILE]
"""
import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import build
import sample
import testlist
from judge import BAD, GOOD, LEFT_OUT, Tests, is_named

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import week  # noqa: E402

DOCS = HERE.parent.parent / "docs/mpich-tests.md"
FETCH = HERE.parent / "fetch_source.sh"
SKIP = 77  # for meson
LEAST_SHARE = 95  # %
MOST_LATE = 1  # % of all: on a machine that is too slow, the share would say little


def stale(exceptions, outcomes):
    """exceptions that nothing needs, though their programs were explored completely"""
    met = set().union(*(o.used for o in outcomes))
    settled = {o.entry.base for o in outcomes if o.settled}
    open_ = {o.entry.base for o in outcomes} - settled
    return [
        e
        for number, e in enumerate(exceptions)
        if number not in met
        and all(any(is_named(base, [p]) for base in settled) for p in e["programs"])
        and not any(is_named(base, e["programs"]) for base in open_)
    ]


def mended(known, outcomes):
    """programs of known.json all of whose entries end as under mpiexec"""
    kinds = {program: {o.kind for o in outcomes if o.entry.base == program} for program in known}
    return [program for program, found in kinds.items() if found and found <= set(GOOD)]


def share(kinds):
    """% of those that pass under mpiexec, from a Counter of kinds; None if there are none"""
    good = sum(kinds[k] for k in GOOD)
    ran = good + sum(kinds[k] for k in BAD)
    return 100 * good / ran if ran else None


def summary(outcomes):
    kinds = Counter(o.kind for o in outcomes)
    functions = Counter(f for o in outcomes for f in o.functions)
    for o in outcomes:
        if o.kind in ("bounded", "slow", "known", *LEFT_OUT):
            print(f"{o.kind}: {o.entry.name}: {o.why}")
    if functions:
        print("unsupported, by function:", ", ".join(f"{f} {n}" for f, n in functions.most_common()))
    for group in dict.fromkeys(o.entry.group for o in outcomes):
        print(table_row(group, Counter(o.kind for o in outcomes if o.entry.group == group)))
    print(table_row("all", kinds))
    good, ran = sum(kinds[k] for k in GOOD), sum(kinds[k] for k in GOOD + BAD)
    print(
        f"{len(outcomes)} entries of MPICH's testlists: {ran} run, {kinds['same']} the same, "
        f"{kinds['bounded']} the same "
        f"as far as explored, {kinds['exception']} with true findings, {kinds['unsupported']} unsupported, "
        f"{kinds['slow']} too slow under isp, {kinds['known']} known not to be the same, "
        f"{kinds['FAIL']} FAIL; "
        f"{kinds['not-passing']} do not pass under mpiexec, {kinds['late']} too late in both, "
        f"{kinds['skipped']} skipped"
    )
    if ran:
        print(f"share that ends as under mpiexec: {share(kinds):.1f} % ({good} of {ran})")


COLUMNS = (*GOOD, "unsupported", "slow", "known", *LEFT_OUT)


def table_row(group, kinds):
    percent = share(kinds)
    cells = [
        group,
        sum(kinds.values()),
        *(kinds[k] for k in COLUMNS),
        "" if percent is None else f"{percent:.1f} %",
    ]
    failed = f" {kinds['FAIL']} FAIL" if kinds["FAIL"] else ""
    return "| " + " | ".join(map(str, cells)) + " |" + failed


def results_table(results):
    """per folder, from what --results wrote"""
    rows = [f"| folder | entries | {' | '.join(COLUMNS)} | share |", "|---|" + "---|" * (len(COLUMNS) + 2)]
    for group in dict.fromkeys(r["folder"].split("/")[0] for r in results):
        rows.append(
            table_row(group, Counter(r["kind"] for r in results if r["folder"].split("/")[0] == group))
        )
    rows.append(table_row("all", Counter(r["kind"] for r in results)))
    return "\n".join(rows)


def exceptions_table(exceptions):
    rows = ["| program | rule | call | why it is true |", "|---|---|---|---|"]
    for e in sorted(exceptions, key=lambda e: (e["rule"], e["programs"])):
        call = "`" + "` in `".join(x for x in (e["call"], e["function"]) if x != "any") + "`"
        rows.append(
            f"| {', '.join(e['programs'])} | `{e['rule']}` | {'' if call == '``' else call} | {e['reason']} |"
        )
    return "\n".join(rows)


def known_table(known):
    rows = ["| program | what is different, and why |", "|---|---|"]
    rows += [f"| {program} | {reason} |" for program, reason in sorted(known.items())]
    return "\n".join(rows)


def with_table(text, name, table):
    """the document with what is between two comments made anew"""
    start, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    before, found, rest = text.partition(start)
    assert found, f"docs/mpich-tests.md has no place for {name}"
    return before + start + table + end + rest.partition(end)[2]


def docs_text(text, exceptions, known):
    return with_table(
        with_table(text, "exceptions", exceptions_table(exceptions)), "known", known_table(known)
    )


def load(name):
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def write_docs(exceptions, known, results):
    text = docs_text(DOCS.read_text(encoding="utf-8"), exceptions, known)
    if results:
        text = with_table(text, "results", results_table(json.loads(results.read_text(encoding="utf-8"))))
    DOCS.write_text(text, encoding="utf-8")


def write_results(path, outcomes):
    path.write_text(
        json.dumps(
            [
                {
                    "folder": o.entry.folder,
                    "entry": o.entry.name,
                    "kind": o.kind,
                    "seconds": round(o.seconds, 2),
                    "why": o.why,
                    "functions": o.functions,
                }
                for o in outcomes
            ],
            indent=0,
        ),
        encoding="utf-8",
    )


def sampled(entries, folder, exceptions, known, seed, programs):
    explained = [p for e in exceptions for p in e["programs"] if "*" not in p] + list(known)
    some = sample.choose(entries, folder / "source", programs, explained, seed)
    print(
        f"a sample, --sample {seed}: {len(some)} of {len(entries)} entries; all: ./dev test --all mpich",
        flush=True,
    )
    return some


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("isp", nargs="?")
    options.add_argument("folder", nargs="?", type=Path)
    options.add_argument("--only", default="", help="only entries whose name begins with this")
    options.add_argument(
        "--sample",
        type=int,
        nargs="?",
        const=week.seed(),
        metavar="SEED",
        help="only some (sample.py), but all for ./dev test --all (../week.py)",
    )
    options.add_argument("--all", action="store_true", help="also what takes too long for every day")
    options.add_argument(
        "--seconds",
        type=float,
        help="time for an entry: no interleaving is begun after it (2; with --all 20)",
    )
    options.add_argument(
        "--quick", action="store_true", help="do not ask mpiexec: what isp cannot run counts as passing there"
    )
    options.add_argument(
        "--openmpi", action="store_true", help="the programs as Open MPI compiles them, beside its mpiexec"
    )
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument(
        "--results",
        type=Path,
        help="write what happened to each entry there, as JSON (FOLDER/results.json if all were run)",
    )
    options.add_argument(
        "--write-docs", action="store_true", help="bring the tables in docs/mpich-tests.md up to date"
    )
    o = options.parse_args()
    exceptions, known = load("exceptions.json"), load("known.json")
    if o.write_docs:
        write_docs(exceptions, known, o.results)
        return 0
    if subprocess.run([FETCH, "mpich", o.folder, "libmpich12", "test/mpi"], check=False).returncode:
        print("skipped: MPICH's sources cannot be fetched here")
        return SKIP
    folder, began = o.folder.resolve(), time.monotonic()
    programs = build.build_folder(folder, o.openmpi)
    build.configure(folder, o.openmpi)
    entries = [e for e in testlist.entries(folder / "source", programs, o.all) if e.name.startswith(o.only)]
    is_sample = o.sample is not None and not week.everything()
    if is_sample:
        entries = sampled(entries, folder, exceptions, known, o.sample, programs)
    build.compile_programs(folder, entries, o.openmpi)
    print(f"compiled in {time.monotonic() - began:.0f} s", flush=True)

    seconds = o.seconds or (20 if o.all else 2)
    tests = Tests(Path(o.isp).resolve(), programs, seconds, exceptions, known, o.all, o.quick, o.openmpi)
    outcomes = []
    with ThreadPoolExecutor(o.jobs) as pool:
        for outcome in pool.map(tests.judge, entries):
            outcomes.append(outcome)
            if outcome.kind == "FAIL":
                print(
                    f"FAIL {outcome.entry.name}: {outcome.why}\n     again: {tests.again(outcome.entry)}",
                    flush=True,
                )
            elif outcome.kind in GOOD:
                print(f"ok   {outcome.entry.name}", flush=True)
    unneeded = stale(exceptions, outcomes)
    for e in unneeded:
        print(f"FAIL exceptions.json: no longer met: {e['rule']} of {', '.join(e['programs'])}")
    for program in mended(known, outcomes):  # not a failure: it may be the faster machine
        print(f"note: known.json: {program} ends as under mpiexec here")
    text = DOCS.read_text(encoding="utf-8")
    current = text == docs_text(text, exceptions, known)
    print(
        "ok   docs"
        if current
        else "FAIL docs/mpich-tests.md is not up to date: tests/mpich/run.py --write-docs"
    )
    summary(outcomes)
    if o.results or not (o.only or is_sample or o.openmpi):
        write_results(o.results or folder / "results.json", outcomes)
    kinds = Counter(x.kind for x in outcomes)
    # All that are known are in a sample: they would be too many in it.
    shared = Counter({kind: n for kind, n in kinds.items() if not (is_sample and kind == "known")})
    enough = bool(o.only) or share(shared) >= LEAST_SHARE
    if not enough:
        print(f"FAIL the share is below {LEAST_SHARE} %")
    in_time = bool(o.only) or 100 * kinds["late"] <= MOST_LATE * len(outcomes)
    if not in_time:
        print(f"FAIL more than {MOST_LATE} % of the entries took too long to say anything about them")
    return 1 if unneeded or not current or not enough or not in_time or kinds["FAIL"] else 0


if __name__ == "__main__":
    sys.exit(main())

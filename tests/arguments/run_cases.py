#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program of make_cases.py under isp and compares what is said of each of its lines with its list.

Every wrong call must have exactly the finding that the list names, at its line, with the argument's name;
no good call may have one. Fails as well on a check of the table that the program does not try.
"""
import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

RULES = (
    "invalid-",
    "request-reuse",
    "mpi-error",
    "io-misuse",
    "crash",
    "abort",
    "unsupported",
    "deadlock",
    "collective-",
    "call-",
)


def found_by_line(results, source):
    """{line: [(rule, message)]} of what is said of the program's calls"""
    found = collections.defaultdict(list)
    for f in results["findings"]:
        if not f["rule"].startswith(RULES):
            continue
        site = next((s for s in f["sites"] if s.get("file", "").endswith(source)), None)
        found[site["line"] if site else 0].append((f["rule"], f["message"]))
    return found


def complain(case, what):
    return (
        f'line {case["line"]}: {case["function"]}({case.get("argument", "")} = {case.get("value", "")}): '
        f"{what}"
    )


def compare(cases, found):
    wrong = []
    for case in cases["wrong"]:
        said = found.pop(case["line"], [])
        texts = [f"{message} [{rule}]" for rule, message in said]
        if len(said) != 1:
            wrong.append(complain(case, f'{len(said)} findings, expected {case["rule"]}: {texts}'))
        elif said[0][0] != case["rule"]:
            wrong.append(complain(case, f'expected {case["rule"]}: {texts[0]}'))
        elif not said[0][1].startswith(case["function"] + ": ") or (
            case["argument"] not in said[0][1] and said[0][0] != "request-reuse"
        ):
            wrong.append(complain(case, f"the argument is not named: {texts[0]}"))
    good = {case["line"]: case for case in cases["good"]}
    for line, said in sorted(found.items()):
        case = good.get(line, {"line": line, "function": "no call of the list"})
        wrong += [complain(case, f"{message} [{rule}]") for rule, message in said]
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp")
    parser.add_argument("program")
    parser.add_argument("cases")
    options = parser.parse_args()
    with open(options.cases, encoding="utf-8") as f:
        cases = json.load(f)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "results.json")
        command = [
            options.isp,
            "--on-error=continue",
            "--timeout",
            "60",
            "--json",
            out,
            "-n",
            "2",
            "--",
            options.program,
        ]
        run = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=400,
            env={**os.environ, "CASES_FILE": os.path.join(folder, "file")},
        )
        if not os.path.exists(out):
            sys.exit(f"isp ended with {run.returncode}:\n{run.stderr[-2000:]}")
        with open(out, encoding="utf-8") as f:
            results = json.load(f)
    wrong = compare(cases, found_by_line(results, "cases.c"))
    wrong += [
        f"{name}: the check {check} of {argument} is not tried" for name, argument, check in cases["untried"]
    ]
    wrong += [
        line
        for line in run.stderr.splitlines()
        if line.startswith("good call at") or "answered by MPI_SUCCESS" in line and line[0] != "0"
    ]
    print("\n".join(wrong))
    functions = {c["function"] for c in cases["wrong"]}
    checks = {(c["function"], c["argument"], c["check"]) for c in cases["wrong"]}
    print(
        f'{len(functions)} functions, {len(checks)} checks of arguments, {len(cases["wrong"])} wrong calls, '
        f'{len(cases["good"])} good ones: {len(wrong)} complaints'
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()

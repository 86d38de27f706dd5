#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts what `meson test` showed in each build folder; the last line is `N passed, N failed`.

A test that prints a line `ok NAME` or `FAIL NAME` per case (cmocka programs do so in their
own way) counts as its cases, any other as one. A test that failed without a failed case (it
crashed, or ran out of time) is one failure more. A skipped test is named and not counted.

What failed is shown once more there, shortly: of a long log of CI only the end may be kept.

    count_results.py BUILD...
"""
import json
import re
import shlex
import sys

CASE = re.compile(r"^(ok|FAIL)\s+\S", re.M)
CMOCKA = re.compile(r"^\[\s+(OK|FAILED)\s+\] (\S+)$", re.M)
VERDICT = re.compile(r"(ok|FAIL)\b|\[  (ERROR|FAILED)  ")
CASE_LINES, LAST_LINES, MOST_LINES, LINE_LENGTH = 9, 9, 40, 500  # at most, of what failed


def said(test):
    return "\n".join(test.get(stream) or "" for stream in ("stdout", "stderr"))


def count(test):
    """(passed, failed) of one meson test"""
    text = said(test)
    verdicts = [word == "ok" for word in CASE.findall(text)]
    # cmocka says FAILED again in its summary, and more or less of all this on stderr, by its version
    verdicts += [word == "OK" for word, _ in set(CMOCKA.findall(text))]
    passed, failed = sum(verdicts), len(verdicts) - sum(verdicts)
    if test["result"] in ("OK", "EXPECTEDFAIL"):
        return (passed, failed) if verdicts else (1, 0)
    return passed, max(failed, 1)


def reasons(test):
    """The lines that say why it failed: the head of each failed case, or what was said last"""
    lines = said(test).splitlines()
    cases = [n for n, line in enumerate(lines) if VERDICT.match(line)] + [len(lines)]
    heads = [
        line
        for n, end in zip(cases, cases[1:])
        if not lines[n].startswith("ok")
        for line in lines[n : min(end, n + CASE_LINES)]
    ]
    return [line[:LINE_LENGTH] for line in (heads or lines[-LAST_LINES:])[:MOST_LINES]]


def read_log(build):
    """The tests that were run, or None if there is no log: then the build failed."""
    try:
        with open(f"{build}/meson-logs/testlog.json", encoding="utf-8") as log:
            return [json.loads(line) for line in log] or None
    except OSError:
        return None


def main():
    passed = failed = 0
    for build in sys.argv[1:]:
        tests = read_log(build)
        if tests is None:
            print(f"failed: {build}: no test was run")
            failed += 1
        for test in tests or []:
            if test["result"] == "SKIP":
                print(f"skipped: {test['name']}")
                continue
            more_passed, more_failed = count(test)
            passed, failed = passed + more_passed, failed + more_failed
            if more_failed:
                print(
                    f"failed: {test['name']} ({test['result'].lower()}, {test['duration']:.1f} s); "
                    f"again: meson test -C {build} {shlex.quote(test['name'].split(' / ')[-1])} -v"
                )
                print("".join(f"    {line}\n" for line in reasons(test)), end="")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


main()

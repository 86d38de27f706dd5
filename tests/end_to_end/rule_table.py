#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A table per rule of include/isp/rules.h: wrong programs found / all, right programs silent / all.

It counts what run.py has kept in BUILD_DIR/end_to_end.json: an entry is found if isp said exactly what it
should (rules and lines), silent if it said nothing. The right programs of a rule are the twins (`NAME_ok`) of
its wrong ones, and those that have its name in tests/rules. A rule needs three wrong programs beside the one
on its page, one of them in Fortran where that is possible, and each wrong program in tests/rules a twin.

usage: rule_table.py BUILD_DIR [--check]   (--check: `ok RULE` or `FAIL RULE: why` instead of the table)
"""

import argparse
import json
import os
import re
import sys

import pages
import rules_h
import run

WRONG_PROGRAMS = 3
NO_FORTRAN = {
    "assertion": "assert() is C's",
}
# The classic names of umpire-suite: what a wrong program's name ends in where its twin has -no-error.
CLASSIC = re.compile(r"-(can-deadlock|deadlock|no-free|unsafe)(\d*)$")


def twins(entry):
    """Names that the correct twin of a wrong entry may have."""
    names = {entry.name + "_ok", entry.program + "_ok"}
    if entry.program.startswith("umpire-suite/"):
        names.add(CLASSIC.sub(r"-no-error\2", entry.program))
    return names - {entry.program}


class Row:
    """One rule: the entries that are wrong and right."""

    def __init__(self, rule, entries):
        self.rule = rule
        self.wrong = [entry for entry in entries if rule in entry.rules | entry.notes]
        names = set().union(*(twins(entry) for entry in self.wrong)) if self.wrong else set()
        self.right = [
            entry
            for entry in entries
            if not entry.rules | entry.notes
            and (entry.name in names or own_folder(entry.name) and run.rule_of(entry.name) == rule)
        ]

    def programs(self):
        """The wrong ones without that of the page. One source counts as often as it is run with other
        arguments."""
        return [entry for entry in self.wrong if not entry.name.startswith(pages.FOLDER)]

    def fortran(self):
        return [entry for entry in self.programs() if entry.source.endswith((".f", ".f90", ".F90"))]

    def lacks(self):
        """What the rule needs and does not have, one line each."""
        count = len(self.programs())
        if count < WRONG_PROGRAMS:
            yield f"{count} of {WRONG_PROGRAMS} wrong programs"
        if not self.fortran() and self.rule not in NO_FORTRAN:
            yield "no wrong program in Fortran"
        names = {entry.name for entry in self.right}
        for entry in self.wrong:
            if own_folder(entry.name) and not twins(entry) & names:
                yield f"{entry.name} has no correct twin"


def own_folder(name):
    return name.startswith((run.RULES + "/", pages.FOLDER + "/"))


def passed(entries, outcomes):
    """`2/3`: as they should be / run."""
    ran = [outcomes[entry.name] for entry in entries if entry.name in outcomes]
    return f"{sum(ran)}/{len(ran)}"


def print_table(rows, outcomes):
    print(f"{'rule':<26} {'wrong found':>11} {'right silent':>12} {'Fortran':>8}  missing")
    for row in rows:
        fortran = str(len(row.fortran())) if row.fortran() or row.rule not in NO_FORTRAN else "-"
        print(
            f"{row.rule:<26} {passed(row.wrong, outcomes):>11} {passed(row.right, outcomes):>12} "
            f"{fortran:>8}  "
            f"{'; '.join(row.lacks())}".rstrip()
        )
    wrong, right = (
        {entry.name: entry for row in rows for entry in of(row)}.values()
        for of in (lambda r: r.wrong, lambda r: r.right)
    )
    print(
        f"{'all':<26} {passed(wrong, outcomes):>11} {passed(right, outcomes):>12}   (a program may break two "
        f"rules)"
    )
    for rule, why in NO_FORTRAN.items():
        print(f"  no Fortran for {rule}: {why}")


def check(rows, outcomes):
    failed = 0
    for row in rows:
        why = list(row.lacks())
        why += [
            f"{entry.name} is not as it should be"
            for entry in row.wrong + row.right
            if outcomes.get(entry.name) is False
        ]
        failed += bool(why)
        print(f"FAIL {row.rule}: {'; '.join(why)}" if why else f"ok {row.rule}")
    return failed > 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    entries = run.load(options.build)
    rows = [Row(rule, entries) for rule in rules_h.rules()]
    try:
        with open(os.path.join(options.build, run.OUTCOMES), encoding="utf-8") as stream:
            outcomes = json.load(stream)
    except FileNotFoundError:
        outcomes = {}
    if options.check:
        return check(rows, outcomes)
    if outcomes:  # else no program was run
        print_table(rows, outcomes)
    return 0


if __name__ == "__main__":
    sys.exit(main())

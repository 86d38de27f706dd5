#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The programs of tests/mean whose verdict is not "all explored", as README.md lists them, with the reason.

What the reason is stands in the programs, and ../end_to_end/run.py compares it with what isp says. Those are
few: at most 5 % have a bound of isp's in the way. What the user has asked for (--max-time, --polls 0, a
time-out), files that a program leaves, and what MPI leaves undefined are none.

usage: incomplete.py [--check]   (--check: `ok`, or what is wrong, instead of the table)
"""

import glob
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MOST = 0.05
COMMENT = re.compile(r"/\* (twin )?incomplete: (.*?) \*/")
PLACE = re.compile(r":? \(?MPI_\w+ (in main )?at$")
ROW = re.compile(r"\| `\w+` \| [^|]*\| (yes|no) \|$")
NO_BOUND = ("--max-time", "was not over", "--polls 0", "a rank hung", "have left", "is undefined")


def programs():
    """(name, reason) of each program and twin, in order; reason None: all is explored."""
    for path in sorted(glob.glob(os.path.join(HERE, "*.c"))):
        with open(path, encoding="utf-8") as stream:
            found = {bool(twin): why for twin, why in COMMENT.findall(stream.read())}
        name = os.path.splitext(os.path.basename(path))[0]
        yield name, found.get(False)
        yield name + "_ok", found.get(True)


def row(name, why):
    bound = "no" if any(text in why for text in NO_BOUND) else "yes"
    return f"| `{name}` | {PLACE.sub('', why)} | {bound} |"


def complaints(listed, everything):
    with open(os.path.join(HERE, "README.md"), encoding="utf-8") as stream:
        lines = stream.read().splitlines()
    missing = [line for line in listed if line not in lines]
    extra = [line for line in lines if ROW.match(line) and line not in listed]
    cut = sum(line.endswith("| yes |") for line in listed)
    if missing or extra:
        yield f"README.md: missing {missing}, too many {extra}"
    if cut > MOST * everything:
        yield f"a bound is in the way of {cut} of {everything} programs"


def main():
    all_of_them = list(programs())
    rows = [row(name, why) for name, why in all_of_them if why]
    if sys.argv[1:] != ["--check"]:
        print("\n".join(rows))
        return 0
    wrong = list(complaints(rows, len(all_of_them)))
    print("\n".join(wrong) or "ok")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())

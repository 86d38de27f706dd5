#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp says of values that a program changes while they are sent (README.md): a row for each program. The
exit code is 1 if one is not said as its source asks for.

usage: table.py ISP FOLDER_OF_PROGRAMS [NAME...]
"""

import concurrent.futures
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = {"c": "values.c", "cxx": "values.cc", "fortran": "values.f90"}
WANTED = re.compile(r"SAYS (.*?)(?: \*/)?\n.*?(?:void|subroutine) (\w+)", re.DOTALL)


def run(isp, binary, name, wanted):
    """(as wanted, the row)"""
    command = [isp, "-n", "2", "--", binary, name]
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False, env=environment)
    heads = re.findall(r": error: (.*) \[", done.stderr)
    right = len(heads) == 1 and heads[0].endswith(wanted)
    return right, f"{'ok  ' if right else 'FAIL'} {name:18} {'; '.join(heads) or done.stderr}"


def main():
    isp, folder, names = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3:]
    jobs = []
    for binary, source in SOURCES.items():
        with open(os.path.join(HERE, source), encoding="utf-8") as stream:
            found = WANTED.findall(stream.read())
        jobs += [(isp, os.path.join(folder, binary), name, wanted) for wanted, name in found]
    jobs = [job for job in jobs if not names or job[2] in names]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(lambda job: run(*job), jobs))
    for _, row in rows:
        print(row)
    right = sum(row[0] for row in rows)
    print(f"{right} of {len(rows)} values are said as the program would")
    sys.exit(right != len(rows) or not rows)


if __name__ == "__main__":
    main()

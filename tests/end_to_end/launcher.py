#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A launcher that fails by itself, as mpiexec rarely does where its proxy ends just as it writes to it, is
not the program's fault: if all ranks have told that they leave with 0, nothing is found. If one leaves
otherwise, or the launcher says nothing of a mistake of its own, its exit code counts.

Usage: launcher.py ISP
"""
import os
import stat
import subprocess
import sys
import tempfile

WORDS = "[mpiexec@host] main (ui/mpich/mpiexec.c:325): process manager error waiting for completion"
CASES = [  # what mpiexec says at its end, the program's exit code, the rule that is found
    (WORDS, 0, None),
    (WORDS, 3, "exit-code"),
    ("", 0, "exit-code"),
    ("process manager error", 0, "exit-code"),
]
SOURCE = """#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return atoi(argv[1]);
}
"""


def write(path, text):
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def check(isp, folder, words, code, rule):
    launcher = os.path.join(folder, "mpiexec")
    write(launcher, f"#!/bin/sh\nmpiexec \"$@\"\necho '{words}' >&2\nexit 255\n")
    os.chmod(launcher, os.stat(launcher).st_mode | stat.S_IXUSR)
    command = [isp, "--mpiexec", launcher, "-n", "2", os.path.join(folder, "app"), str(code)]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    good = f"[{rule}]" in done.stderr and done.returncode == 1 if rule else done.returncode == 0
    assert good, f"{words!r}, {code}: exit code {done.returncode}, {done.stderr}"


def main(isp):
    with tempfile.TemporaryDirectory(prefix="launcher-") as folder:
        write(os.path.join(folder, "app.c"), SOURCE)
        subprocess.run(
            ["mpicc", "-o", os.path.join(folder, "app"), os.path.join(folder, "app.c")], check=True
        )
        for case in CASES:
            check(isp, folder, *case)
    print(f"{len(CASES)} launchers that fail: as it should be")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))

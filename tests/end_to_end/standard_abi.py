#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The standard ABI of MPI 5: what it has beside what MPICH 4.0 has, what isp says of what is missing, and how
a program is told from one of MPICH. (The programs of all suites are run by run.py --abi.)

usage: standard_abi.py ISP HEADERS BUILT SOURCE    (adapters/abi, and its build folder)
"""
import json
import os
import shlex
import subprocess
import sys
import tempfile

MISSING = {  # by what the program is given
    "more": "MPI_Remove_error_class: MPICH has no such function",
    "guided": "MPI_COMM_TYPE_RESOURCE_GUIDED: MPICH has no such constant",
    "automatic": "MPI_BUFFER_AUTOMATIC: MPICH has no such constant",
}


def explore(folder, isp, *words, expected):
    """What isp said, and the result."""
    file = os.path.join(folder, "result.json")
    command = [isp, "-n", "2", "--json", file, *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100, check=False)
    assert (
        done.returncode == expected
    ), f"{shlex.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}"
    with open(file, encoding="utf-8") as stream:
        return done.stderr, json.load(stream)


def line_of(source, mark):
    with open(source, encoding="utf-8") as stream:
        return next(n for n, line in enumerate(stream, 1) if mark in line)


def main():
    isp, headers, built, source = map(os.path.abspath, sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="isp-abi-") as folder:
        library = os.path.join(built, "libmpi_abi.so.1")
        command = ["gcc", "-g", "-Wall", "-Werror", f"-I{headers}", f"-I{built}", source, library]
        subprocess.run([*command, f"-Wl,-rpath,{built}", "-o", os.path.join(folder, "app")], check=True)
        with open(os.path.join(folder, "app.sh"), "w", encoding="ascii") as script:
            script.write("#!/bin/sh\nexec ./app\n")
        os.chmod(os.path.join(folder, "app.sh"), 0o755)

        _, result = explore(folder, isp, "./app", expected=0)
        assert result["complete"] and not result["findings"], result
        _, result = explore(folder, isp, "--mpi=abi", "./app.sh", expected=0)
        assert result["complete"] and not result["findings"], result
        said, _ = explore(folder, isp, "./app.sh", expected=1)
        assert "give isp --mpi=abi" in said, said
        said, _ = explore(folder, isp, "--mpi=mpich", "./app", expected=1)
        assert "give isp --mpi=abi" in said, said

        for word, missing in MISSING.items():
            said, result = explore(folder, isp, "./app", word, expected=3)
            (finding,) = result["findings"]
            assert finding["rule"] == "unsupported" and missing in said, said
            assert f"{source}:{line_of(source, '@' + word)}" in said, said
        doctor = subprocess.run(
            [isp, "doctor", "./app"], cwd=folder, capture_output=True, text=True, check=False
        )
        assert "built with the standard ABI of MPI 5" in doctor.stdout + doctor.stderr, doctor
    print("7 explorations, as they should be")


main()

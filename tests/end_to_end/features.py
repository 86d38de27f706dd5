#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp can do for programs of which MPI (docs/mpi.md, MPI by feature): each row runs a program that is
compiled by MPICH, by Open MPI and for the standard ABI of MPI 5, and says whether the results are alike.

usage: features.py ISP BUILD_DIR FOLDER    (FOLDER: for the programs of the others)

A cell is `yes`, or says what that MPI has not (other_mpi.py). Any other is a failure.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import types

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), HERE]
import other_mpi  # noqa: E402

WILDCARD = "umpire-suite/any_src-can-deadlock.c"
ROWS = [  # what, source, ranks, options
    ("point-to-point and wildcards, checkpoints", WILDCARD, 3, []),
    ("a launch for each interleaving", WILDCARD, 3, ["--no-checkpoints"]),
    ("several processes of isp", WILDCARD, 3, ["-j", "2"]),
    ("ranks that go ahead", WILDCARD, 3, ["--decentralized"]),
    ("TCP instead of shared memory", WILDCARD, 3, ["--tcp", "127.0.0.1:0"]),
    ("stacks", WILDCARD, 3, ["--stacks"]),
    ("every collective of MPI 4", "tests/programs/every_collective_ok.c", 3, []),
    ("derived datatypes", "tests/programs/type_derived_ok.c", 2, []),
    ("windows", "tests/rules/rma-conflict_columns.c", 3, []),
    ("files", "tests/rules/io-misuse_closed.c", 2, []),
    ("several threads", "tests/programs/threads_collectives.c", 2, []),
    ("buffers in use", "tests/rules/send-buffer-modified_unmapped.c", 2, []),
    ("accesses to buffers in use", "tests/rules/send-buffer-modified_unmapped.c", 2, ["--memory=watch"]),
    ("sessions", "tests/programs/session_deadlock.c", 2, []),
    ("partitioned messages", "tests/programs/partitioned_deadlock.c", 2, []),
    ("large counts", "tests/programs/large_count.c", 2, []),
    ("MPI_T", "tests/programs/tools_interface_ok.c", 2, []),
    ("C++", "tests/cxx/raii_deadlock.cc", 2, []),
    ("C++'s own bindings", "tests/cxx/bindings_deadlock.cc", 2, []),
    ("Fortran, mpif.h", "tests/fortran/mpif_deadlock.f", 3, []),
    ("Fortran, mpi_f08", "tests/fortran/f08_ring.f90", 3, []),
]


def explore(isp, folder, program, ranks, options):
    """What is the same however a program was compiled: or what isp said, if there is no result."""
    file = os.path.join(folder, "result.json")
    where, name = os.path.split(program)
    command = [isp, "-n", str(ranks), "--json", file, "--output=none", *options, "./" + name]
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=200, check=False)
    try:
        with open(file, encoding="utf-8") as stream:
            result = json.load(stream)
    except (OSError, ValueError):
        return done.stderr
    os.remove(file)
    kept = {key: result[key] for key in ("verdict", "complete", "interleavings")}
    kept["findings"] = sorted(
        [
            f["rule"],
            f["message"],
            f["ranks"],
            [(s["rank"], s["call"], s["file"], s["line"]) for s in f["sites"]],
        ]
        for f in result["findings"]
    )
    return kept


def compiled(compilers, mpi, source):
    """The program, or why there is none."""
    program = os.path.splitext(source)[0]
    entry = types.SimpleNamespace(name=program, program=program, source=source)
    if mpi not in compilers:
        return None, "not installed"
    try:
        compilers[mpi].build(entry)
    except other_mpi.Newer as why:
        first, *others = str(why).split(", ")
        return None, f"{first} and {len(others)} more" if others else first
    return os.path.join(compilers[mpi].folder, program), ""


def differing(mine, other):
    if not isinstance(mine, dict) or not isinstance(other, dict):
        return f"FAIL: {other}"
    keys = [key for key in mine if mine[key] != other.get(key)]
    return "yes" if not keys else f"FAIL: {', '.join(keys)}: {[other.get(key) for key in keys]}"


def main():
    isp, build, folder = map(os.path.abspath, sys.argv[1:])
    compilers = {"abi": other_mpi.Compiler("abi", build, os.path.join(folder, "abi"))}
    front = os.path.join(build, "adapters", "openmpi", "libisp-openmpi.so")
    if shutil.which("mpicc.openmpi") and os.path.exists(front):
        compilers["openmpi"] = other_mpi.Compiler("openmpi", build, os.path.join(folder, "openmpi"))
    failed = 0
    print("| feature | MPICH | Open MPI | standard ABI |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="isp-test-") as room:
        for what, source, ranks, options in ROWS:
            mine = explore(isp, room, os.path.join(build, os.path.splitext(source)[0]), ranks, options)
            cells = ["yes" if isinstance(mine, dict) else f"FAIL: {mine}"]
            for mpi in "openmpi", "abi":
                program, why = compiled(compilers, mpi, source)
                cells.append(why or differing(mine, explore(isp, room, program, ranks, options)))
            failed += sum(cell.startswith("FAIL") for cell in cells)
            print("| " + " | ".join([what, *cells]) + " |", flush=True)
    print(f"{len(ROWS)} features, {failed} failed")
    return 1 if failed else 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A program of an MPI that has MPICH's binary interface (Intel MPI, MVAPICH, Cray's) under the name that
these share, libmpi.so.12: what isp says of it is what it says of MPICH's, checkpoints included. A copy of
MPICH's library stands in for it, under that name. Another copy says that it has no UCX: then isp takes
nothing for granted (profiler/link/transport.h), and says the same without checkpoints.

usage: abi.py ISP MPICH_INCLUDE PROGRAM...    (sources in C)
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402

THEIRS = (b"libmpich.so.12\0", b"libmpi.so.12\0\0\0")
UNKNOWN = (b"ch4:ucx", b"ch4:any")


def mpich():
    """Where the dynamic linker finds it."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "empty")
        with open(program + ".c", "w", encoding="ascii") as file:
            file.write("int MPI_Finalize(void); int main(void) { return MPI_Finalize(); }\n")
        subprocess.run(["gcc", program + ".c", "-o", program, "-lmpich"], check=True)
        said = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    return next(line.split()[2] for line in said.splitlines() if "libmpich.so.12 " in line)


def explore(isp, program):
    """The result, and what was said. Replay commands name the program: by the same name in both folders."""
    where, name = os.path.split(program)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "result.json")
        done = subprocess.run(
            [isp, "-v", "-n", "3", "--json", file, "./" + name],
            cwd=where,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        with open(file, encoding="utf-8") as stream:
            return json.load(stream), done.stderr


def copy_library(folder, *replaced):
    library = os.path.join(folder, "libmpi.so.12")
    os.makedirs(folder)
    with open(mpich(), "rb") as ours, open(library, "wb") as theirs:
        text = ours.read()
        for before, after in replaced:
            assert before in text, before
            text = text.replace(before, after)
        theirs.write(text)
    return library


def build(program, source, include, link):
    os.makedirs(os.path.dirname(program), exist_ok=True)
    subprocess.run(["gcc", "-g", "-w", "-I", include, "-o", program, source, *link], check=True)
    return program


def main():
    isp, include, *sources = map(os.path.abspath, sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="isp-abi-") as folder:
        libraries = {
            "other": copy_library(os.path.join(folder, "lib"), THEIRS),
            "unknown": copy_library(os.path.join(folder, "lib-unknown"), THEIRS, UNKNOWN),
        }
        for source in sources:
            name = os.path.splitext(os.path.basename(source))[0]
            plain = build(os.path.join(folder, "mpich", name), source, include, ["-lmpich"])
            wanted, how = explore(isp, plain)
            for kind, library in libraries.items():
                link = [library, "-Wl,-rpath," + os.path.dirname(library)]
                program = build(os.path.join(folder, kind, name), source, include, link)
                result, said = explore(isp, program)
                assert alike(result) == alike(wanted), (name, said)
                alone = " 0 continued" in how
                assert (" 0 continued" in said) == (alone or kind == "unknown"), (name, said)
                assert alone or ("its MPI is not MPICH with UCX" in said) == (kind == "unknown"), (name, said)
                doctor = subprocess.run([isp, "doctor", program], capture_output=True, text=True, check=False)
                assert f"with isp it uses {library}" in doctor.stdout, doctor
                print(f"ok {name}, {kind}")


main()

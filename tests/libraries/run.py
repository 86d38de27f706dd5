#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""isp on programs that use real parallel libraries: each must be explored to its end or to the bound
of SECONDS, be clean, and print what it prints under mpiexec. What both cost is printed side by side.

hdf5        Debian's parallel HDF5, as installed: hdf5_dataset.c writes and reads one dataset.
ptscotch    PT-Scotch, built with mpicc from its Debian source package: ptscotch_order.c orders a mesh.

    run.py ISP FOLDER [--only NAME]
"""
import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
FETCH = HERE.parent / "fetch_source.sh"
SKIP = 77  # for meson
RANKS = 4
SECONDS = 240  # then isp is interrupted, and what it explored so far counts; far above what it takes
CFLAGS = "-g -O1 -w"
# Of src/Make.inc in the package, reduced to two libraries without threads. With one seed and in one order
# of neighbours the ordering does not depend on which message came first.
MAKEFILE_INC = f"""\
LIB = .a
OBJ = .o
MAKE = make
AR = ar
ARFLAGS = -r
CAT = cat
CCS = gcc
CCP = mpicc
CCD = mpicc
CFLAGS = {CFLAGS} -DCOMMON_RANDOM_FIXED_SEED -DSCOTCH_RENAME -DSCOTCH_DETERMINISTIC
LDFLAGS = -lm
CP = cp
FLEX = flex
LN = ln
MKDIR = mkdir -p
MV = mv
RANLIB = ranlib
BISON = bison
"""


class Unavailable(Exception):
    """What the test needs cannot be had here."""


def must(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{shlex.join(map(str, command))} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def compile_program(folder, name, flags):
    program = folder / name
    must(["mpicc", *CFLAGS.split(), "-o", program, HERE / f"{name}.c", *flags])
    return program


def build_hdf5(folder):
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "hdf5-mpich"], capture_output=True, text=True, check=False
    )
    if flags.returncode:
        raise Unavailable("no parallel HDF5 for MPICH (libhdf5-mpich-dev)")
    return compile_program(folder, "hdf5_dataset", flags.stdout.split())


def build_ptscotch(folder):
    package = folder / "scotch"
    if subprocess.run([FETCH, "scotch", package], check=False).returncode:
        raise Unavailable("the sources of Scotch cannot be fetched here")
    source = package / "source"
    makefile = source / "src/Makefile.inc"
    if not makefile.exists() or makefile.read_text(encoding="utf-8") != MAKEFILE_INC:
        shutil.rmtree(source / "lib", ignore_errors=True)
        makefile.write_text(MAKEFILE_INC, encoding="utf-8")
    if not (source / "lib/libptscotcherr.a").exists():  # the last one that is made
        must(["make", "-j2", "libptscotch"], cwd=source / "src", env={**os.environ, "MAKEFLAGS": ""})
    return compile_program(
        folder,
        "ptscotch_order",
        [f"-I{source}/include", f"-L{source}/lib", "-lptscotch", "-lscotch", "-lptscotcherr", "-lm"],
    )


TESTS = {"hdf5": build_hdf5, "ptscotch": build_ptscotch}


@dataclass
class Run:
    code: int
    output: str
    errors: str
    seconds: float
    memory_mb: float  # of its largest process


def measure(command, seconds=None):
    """run it in a folder of its own, since the programs write files; after `seconds` it is asked to end"""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile(
        "w+"
    ) as output, tempfile.TemporaryFile("w+") as errors:
        began = time.monotonic()
        # `timeout` waits for it, so that its memory and that of its children can be asked for
        wrapped = ["timeout", "-k", "20", "-s", "INT", str(seconds or 0), *map(str, command)]
        child = subprocess.Popen(wrapped, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Run(
            child.returncode, output.read(), errors.read(), time.monotonic() - began, usage.ru_maxrss / 1024
        )


def explore(isp, program, arguments=()):
    """(Run, isp's result or None)"""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        run = measure(
            [isp, *arguments, "-n", RANKS, "--output=first", f"--json={report.name}", "--", program], SECONDS
        )
        try:
            return run, json.loads(Path(report.name).read_text(encoding="utf-8"))
        except ValueError:
            return run, None


def complaints(plain, under_isp, result):
    if plain.code or plain.errors:
        yield f"under mpiexec it ends with {plain.code}: {plain.errors[:500]}"
    if result is None:
        yield f"isp wrote no result (exit code {under_isp.code}): {under_isp.errors[-500:]}"
        return
    for finding in result["findings"]:
        if finding["severity"] != "note":
            yield f"{finding['rule']}: {finding['message']} {finding['sites'][:1]}"
    if result["verdict"] == "unsupported":
        yield "the verdict is `unsupported`"
    if not result["complete"] and not (result["incomplete_because"] or "").startswith("interrupted"):
        yield f"incomplete: {result['incomplete_because']}"
    if result["interleavings"] < 1:
        yield "not one interleaving was explored"
    if under_isp.output != plain.output:
        yield f"the output differs:\n  mpiexec: {plain.output!r}\n  isp:     {under_isp.output!r}"


def compare(name, isp, program):
    """True if all is well"""
    plain = measure(["mpiexec", "-n", RANKS, program])
    under_isp, result = explore(isp, program)
    wrong = list(complaints(plain, under_isp, result))
    for complaint in wrong:
        print(f"FAIL {name}: {complaint}")
    if wrong:
        print(f"     again: {isp} -n {RANKS} -- {program}")
        return False
    _, one = explore(isp, program, ["replay", "--choices=0"])
    extent = "all" if result["complete"] else f"within {SECONDS} s"
    print(
        f"ok   {name}: {plain.output.strip()}\n"
        f"     mpiexec: {plain.seconds:8.2f} s, largest process {plain.memory_mb:6.1f} MB\n"
        f"     isp:     {under_isp.seconds:8.2f} s, largest process {under_isp.memory_mb:6.1f} MB, "
        f"{result['interleavings']} interleavings ({extent}), {one['calls'] if one else '?'} MPI calls each, "
        f"{result['calls']} in all"
    )
    return True


def main():
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("isp", type=Path)
    options.add_argument("folder", type=Path)
    options.add_argument("--only", choices=TESTS)
    o = options.parse_args()
    folder = o.folder.resolve()
    folder.mkdir(exist_ok=True)
    good, missing = True, 0
    for name, build in TESTS.items():
        if o.only in (None, name):
            try:
                good &= compare(name, o.isp.resolve(), build(folder))
            except Unavailable as why:
                missing += 1
                print(f"skipped {name}: {why}")
    return 1 if not good else SKIP if missing else 0


if __name__ == "__main__":
    sys.exit(main())

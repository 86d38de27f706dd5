#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles MPICH's test programs, which fetch.sh has put into FOLDER/source, into FOLDER/programs.

Plain `mpicc -g`, without the package's configure: the few things that it would find out are in
CONFIGURATION. Compiled again is only what is older than its sources.

    build.py FOLDER
"""
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import testlist

CONFIGURATION = """\
#ifndef MPITESTCONF_H_INCLUDED
#define MPITESTCONF_H_INCLUDED
#define HAVE_STDARG_H 1
#define HAVE_STDINT_H 1
#define HAVE_STRING_H 1
#define HAVE_UNISTD_H 1
#define HAVE_SYS_TIME_H 1
#define HAVE_SYS_RESOURCE_H 1
#define HAVE_GETRUSAGE 1
#define HAVE_LONG_LONG 1
#define HAVE_LONG_DOUBLE 1
#define HAVE__BOOL 1
#define HAVE_FLOAT__COMPLEX 1
#define HAVE_DOUBLE__COMPLEX 1
#define HAVE_LONG_DOUBLE__COMPLEX 1
#define USE_LONG_DOUBLE_COMPLEX 1
#define HAVE_MPI_WIN_CREATE 1
#define THREAD_PACKAGE_NAME THREAD_PACKAGE_POSIX
#endif
"""
COMPILE = [os.environ.get("MPICC", "mpicc"), "-g", "-O0", "-w"]
SUPPORT = ["util/mtest.c", "util/mtest_common.c", "util/mtest_single.c", "util/dtypes.c"]


def write_if_new(path, text):
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def run(command, source):
    """compile in the source folder, so that call sites read coll/allred.c:57"""
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"build.py: in {source}: {' '.join(map(str, command))}\n{done.stderr}")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: build.py FOLDER")
    folder = Path(sys.argv[1]).resolve()
    source, output = folder / "source", folder / "programs"
    (output / "include").mkdir(parents=True, exist_ok=True)
    write_if_new(output / "include/mpitestconf.h", CONFIGURATION)
    write_if_new(output / "dtpoolsconf.h", "")  # included as ../dtpoolsconf.h
    include = [f"-I{output}/include", "-Iinclude", "-Idtpools/include"]

    support = []
    headers = max(p.stat().st_mtime for p in [*output.glob("include/*"), *source.glob("*/include/*.h"),
                                               *source.glob("include/*.h")])

    def compiled(target, text, command):
        newest = max([headers, (source / text).stat().st_mtime, *(p.stat().st_mtime for p in support)])
        if not target.exists() or target.stat().st_mtime < newest:
            target.parent.mkdir(exist_ok=True)
            run([*COMPILE, *include, "-o", target, text, *command], source)
        return target

    objects = [(output / "support" / (Path(text).stem + ".o"), text)
               for text in SUPPORT + sorted(str(p.relative_to(source)) for p in source.glob("dtpools/src/*.c"))]
    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda o: compiled(*o, ["-c"]), objects))
        support = made
        list(pool.map(lambda p: compiled(output / p.folder / p.name, f"{p.folder}/{p.source}",
                                         [*p.flags, *made, "-lm"]), testlist.programs(source)))


if __name__ == "__main__":
    main()

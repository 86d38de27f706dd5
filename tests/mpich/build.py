# SPDX-License-Identifier: BSD-3-Clause
"""Compiles MPICH's test programs, which ../fetch_source.sh has put into FOLDER/source, in FOLDER/build.

The package's own configure and makefiles do it, as for a user who tests an installed MPI. Compiled
again is only what is older than its sources. A program that cannot be compiled is missing in the
end; run.py says what that means.
"""
import os
import shutil
import subprocess
import sys
from collections import defaultdict

FLAGS = "-g -O0 -w"
CONFIGURE = [
    # of which mpicc is MPICH's (./dev sees to that)
    f"--with-mpi={os.path.dirname(os.path.dirname(shutil.which('mpicc') or '/usr/bin/mpicc'))}",
    "--enable-fortran=all",
    "--enable-threads=multiple",
    "--disable-spawn",
    "--disable-shared",
    "--disable-dependency-tracking",
    "CC=mpicc",
    *(f"{name}={FLAGS}" for name in ("CFLAGS", "CXXFLAGS", "FFLAGS", "FCFLAGS")),
]
# configure knows whether there is mpi_f08, and yet leaves its programs out unless MPICH itself is being
# built.
ONLY_WITHIN_MPICH = 'if test "$enable_f08" = "yes" -a "$FROM_MPICH" = "yes" ; then'
ANYWHERE = 'if test "$enable_f08" = "yes" ; then'
LIBRARIES = ("util", "dtpools")


def run(command, folder, log):
    with open(log, "a", encoding="utf-8") as output:
        # Debian's compilers, and none of the variables that configure would take for its own
        env = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), "LC_ALL": "C"}
        return (
            subprocess.run(command, cwd=folder, env=env, stdout=output, stderr=output, check=False).returncode
            == 0
        )


def tail(log):
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:])


def configure(folder):
    source, build = folder / "source", folder / "build"
    stamp = build / ".configured"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == repr(CONFIGURE):
        return
    original = (source / "configure").read_text(encoding="utf-8")
    if ONLY_WITHIN_MPICH not in original:
        sys.exit("build.py: the package's configure has changed: see ONLY_WITHIN_MPICH")
    script = source / "configure.isp"
    script.write_text(original.replace(ONLY_WITHIN_MPICH, ANYWHERE), encoding="utf-8")
    script.chmod(0o755)
    build.mkdir(exist_ok=True)
    log = build / "configure.log"
    if not run([script, *CONFIGURE], build, log):
        sys.exit(f"build.py: configure failed ({log}):\n{tail(log)}")
    stamp.write_text(repr(CONFIGURE), encoding="utf-8")


def compile_programs(folder, entries):
    """entries: of testlist.py, after configure"""
    build = folder / "build"
    log = build / "make.log"
    log.unlink(missing_ok=True)
    for library in LIBRARIES:
        if not run(["make", "-j2", "-C", library], build, log):
            sys.exit(f"build.py: {library} cannot be compiled ({log}):\n{tail(log)}")
    wanted = defaultdict(set)
    for entry in entries:
        wanted[entry.folder].add(entry.program)
    for where, programs in wanted.items():
        if (build / where / "Makefile").exists():
            run(["make", "-j2", "-k", "-C", where, *sorted(programs)], build, log)

# SPDX-License-Identifier: BSD-3-Clause
"""Compiles MPICH's test programs, which ../fetch_source.sh has put into FOLDER/source, in FOLDER/build, or by
Open MPI in FOLDER/build-openmpi.

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
    "--enable-fortran=all",
    "--enable-threads=multiple",
    "--disable-spawn",
    "--disable-shared",
    "--disable-dependency-tracking",
    "CC=mpicc",
    *(f"{name}={FLAGS}" for name in ("CFLAGS", "CXXFLAGS")),
    *(f"{name}={FLAGS} -fallow-argument-mismatch" for name in ("FFLAGS", "FCFLAGS")),
]
# configure knows whether there is mpi_f08, and yet leaves its programs out unless MPICH itself is being
# built.
ONLY_WITHIN_MPICH = 'if test "$enable_f08" = "yes" -a "$FROM_MPICH" = "yes" ; then'
ANYWHERE = 'if test "$enable_f08" = "yes" ; then'
LIBRARIES = ("util", "dtpools")
OPEN_MPI = ("mpicc", "mpicxx", "mpif77", "mpif90", "mpifort")
# The package's library for C++ has names that Open MPI's binding lacks (MPI::Win::NULL_COPY_FN); what MPI 3.0
# removed it has in its library, and its mpi.h if asked for it.
OF_OPEN_MPI = ("--disable-cxx", f"CFLAGS={FLAGS} -DOMPI_OMIT_MPI1_COMPAT_DECLS=0")


def build_folder(folder, openmpi):
    return folder / ("build-openmpi" if openmpi else "build")


def open_mpi(folder):
    """A folder with Open MPI's compilers by their plain names in bin: for PATH, and configure."""
    prefix = (folder / "openmpi").resolve()
    (prefix / "bin").mkdir(parents=True, exist_ok=True)
    for name in OPEN_MPI:
        link = prefix / "bin" / name
        if not link.exists():
            link.symlink_to(shutil.which(f"{name}.openmpi"))
    return prefix


def mpi_prefix(folder, openmpi):
    """Where bin/mpicc is the one that is wanted."""
    if openmpi:
        return str(open_mpi(folder))
    return os.path.dirname(os.path.dirname(shutil.which("mpicc") or "/usr/bin/mpicc"))  # ./dev sees to it


def run(command, folder, log, prefix):
    with open(log, "a", encoding="utf-8") as output:
        # Debian's compilers, and none of the variables that configure would take for its own
        env = {
            "PATH": f"{prefix}/bin:{os.environ['PATH']}",
            "HOME": os.environ.get("HOME", "/"),
            "LC_ALL": "C",
        }
        return (
            subprocess.run(command, cwd=folder, env=env, stdout=output, stderr=output, check=False).returncode
            == 0
        )


def tail(log):
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:])


def configure(folder, openmpi=False):
    source, build, prefix = folder / "source", build_folder(folder, openmpi), mpi_prefix(folder, openmpi)
    stamp, options = build / ".configured", [f"--with-mpi={prefix}", *CONFIGURE]
    options += OF_OPEN_MPI if openmpi else ()
    if stamp.exists() and stamp.read_text(encoding="utf-8") == repr(options):
        return
    original = (source / "configure").read_text(encoding="utf-8")
    if ONLY_WITHIN_MPICH not in original:
        sys.exit("build.py: the package's configure has changed: see ONLY_WITHIN_MPICH")
    script = source / "configure.isp"
    script.write_text(original.replace(ONLY_WITHIN_MPICH, ANYWHERE), encoding="utf-8")
    script.chmod(0o755)
    build.mkdir(exist_ok=True)
    log = build / "configure.log"
    if not run([script, *options], build, log, prefix):
        sys.exit(f"build.py: configure failed ({log}):\n{tail(log)}")
    stamp.write_text(repr(options), encoding="utf-8")


def compile_programs(folder, entries, openmpi=False):
    """entries: of testlist.py, after configure"""
    build, prefix = build_folder(folder, openmpi), mpi_prefix(folder, openmpi)
    log = build / "make.log"
    log.unlink(missing_ok=True)
    for library in LIBRARIES:
        if not run(["make", "-j2", "-C", library], build, log, prefix):
            sys.exit(f"build.py: {library} cannot be compiled ({log}):\n{tail(log)}")
    wanted = defaultdict(set)
    for entry in entries:
        wanted[entry.folder].add(entry.program)
    for where, programs in wanted.items():
        if (build / where / "Makefile").exists():
            run(["make", "-j2", "-k", "-C", where, *sorted(programs)], build, log, prefix)

# SPDX-License-Identifier: BSD-3-Clause
"""Programs of the tests, compiled by Open MPI."""
import concurrent.futures
import os
import re
import subprocess
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FLAGS = ["-g", "-O0", "-w"]
C_FLAGS = ["-std=gnu11", "-D_GNU_SOURCE", f"-I{ROOT}/include"]


SECTION = "an array section is copied for the call: this binding has no MPI_SUBARRAYS_SUPPORTED"
VARIABLE = "in mpif.h the request is not the program's variable: the binding has one of its own"
LINE = "gfortran has given the call the line of the program statement"
BY_NAME = "it opens MPICH's library by its name"
MIXED = "gfortran refuses it with this mpif.h"
CALLBACK = "C++'s MPI::Op looks into Open MPI's own objects (docs/mpi.md)"
OTHERWISE = {  # beginnings of names, and why it is not as with MPICH
    "tests/cxx/bindings_ok": CALLBACK,
    "tests/fortran/f08_sections": SECTION,
    "tests/fortran/mpif_sentinels": MIXED,
    "tests/rules/buffer-overlap_f08_sections": SECTION,
    "tests/rules/invalid-request_free_null": LINE,
    "tests/rules/leak-keyval_fortran": LINE,
    "tests/rules/request-reuse_mpif_loop": VARIABLE,
    "tests/mean/pmpi_copy": BY_NAME,
    "tests/mean/pmpi_dlsym_handle": BY_NAME,
}


class Newer(Exception):
    """The program uses what this Open MPI has not, or is not as with MPICH: its words say what."""


def declared():
    """Every name of mpi.h, in lower case as Fortran's linker has them."""
    found = subprocess.run(
        ["mpicc.openmpi", "-E", "-dD", "-x", "c", "-"],
        input="#include <mpi.h>\n",
        text=True,
        capture_output=True,
        check=True,
    )
    return {name.lower() for name in re.findall(r"\bMPIX?_\w+", found.stdout)}


class Compiler:
    def __init__(self, folder):
        self.folder, self.names = folder, declared()
        self.lock, self.begun = threading.Lock(), {}  # by program: its only compilation

    def build(self, entry):
        """Makes FOLDER/entry.program, once: several entries may run one program, at the same time. Newer: it
        cannot, and the reason is that it needs a later version of MPI."""
        for name, why in OTHERWISE.items():
            if entry.name.startswith(name):
                raise Newer(why)
        mine = concurrent.futures.Future()
        with self.lock:
            first = self.begun.setdefault(entry.program, mine)
        if first is mine:
            try:
                mine.set_result(self.compile(entry))
            except Exception as why:  # whoever else waits for it gets it, too
                mine.set_exception(why)
        first.result()

    def compile(self, entry):
        target = os.path.join(self.folder, entry.program)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        fortran = entry.source.endswith((".F90", ".f90", ".f"))
        cxx = entry.source.endswith(".cc")
        with open(os.path.join(ROOT, entry.source), encoding="utf-8") as stream:
            source = stream.read()
        twin = entry.program.endswith("_ok") and re.search(r"^#if.*TWIN", source, re.M)
        threads = "threads_" in entry.program or "omp" in source
        command = [
            "mpif90.openmpi" if fortran else "mpicxx.openmpi" if cxx else "mpicc.openmpi",
            *FLAGS,
            *(
                [f"-J{os.path.dirname(target)}", "-ffixed-line-length-none"]
                if fortran
                else []
                if cxx
                else C_FLAGS
            ),
            *(["-fopenmp"] if threads else ["-pthread"]),
            *(["-DTWIN"] if twin else []),
            "-o",
            target,
            os.path.join(ROOT, entry.source),
        ]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        if done.returncode == 0:
            return
        missing = {name.rstrip("_") for name in re.findall(r"\bMPIX?_\w+", done.stderr, re.I)}
        newer = sorted(name for name in missing if name.lower() not in self.names)
        if newer:
            raise Newer(f"this Open MPI has no {', '.join(newer)}")
        raise RuntimeError(done.stderr)

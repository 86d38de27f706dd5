# SPDX-License-Identifier: BSD-3-Clause
"""Programs of the tests, compiled by Open MPI, or for the standard ABI of MPI 5: with our header
(adapters/abi) and a library in which no function does anything, or with those of an MPI that has the
interface: ABI_FLAGS in the environment says where these are (-IDIRECTORY, and what to link with).
"""
import concurrent.futures
import os
import re
import shlex
import subprocess
import threading
import types

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
NO_FORTRAN = "the standard ABI has no Fortran"
NO_CXX = "it has no bindings of C++"
OTHERWISE = {  # beginnings of names, and why it is not as with MPICH
    "openmpi": {
        "tests/cxx/bindings_ok": CALLBACK,
        "tests/fortran/f08_sections": SECTION,
        "tests/fortran/mpif_sentinels": MIXED,
        "tests/rules/buffer-overlap_f08_sections": SECTION,
        "tests/rules/invalid-request_free_null": LINE,
        "tests/rules/leak-keyval_fortran": LINE,
        "tests/rules/request-reuse_mpif_loop": VARIABLE,
        "tests/mean/pmpi_copy": BY_NAME,
        "tests/mean/pmpi_dlsym_handle": BY_NAME,
    },
    "abi": {
        "tests/cxx/bindings": NO_CXX,
        "tests/mean/pmpi_copy": BY_NAME,
        "tests/mean/pmpi_dlsym_handle": BY_NAME,
    },
}


class Newer(Exception):
    """The program uses what this MPI has not, or is not as with MPICH: its words say what."""


class Compiler:
    """mpi: openmpi or abi; build: where isp is built; folder: for the programs."""

    def __init__(self, mpi, build, folder):
        self.mpi, self.folder, self.flags = mpi, folder, FLAGS
        self.words = {"c": "mpicc.openmpi", "cxx": "mpicxx.openmpi", "fortran": "mpif90.openmpi"}
        self.libraries = []
        if mpi == "abi":
            stub = os.path.join(os.path.abspath(build), "adapters", "abi")
            self.words = {"c": "gcc", "cxx": "g++"}
            of_another = shlex.split(os.environ.get("ABI_FLAGS", ""))
            self.libraries = [flag for flag in of_another if not flag.startswith("-I")]
            self.flags = [*FLAGS, *(flag for flag in of_another if flag.startswith("-I"))]
            if not of_another:
                self.flags = [*FLAGS, f"-I{ROOT}/adapters/abi", f"-I{stub}"]
                self.libraries = [os.path.join(stub, "libmpi_abi.so.1"), f"-Wl,-rpath,{stub}"]
        self.names = self.declared()
        self.lock, self.begun = threading.Lock(), {}  # by program: its only compilation

    def declared(self):
        """Every name of mpi.h, in lower case as Fortran's linker has them."""
        command = [self.words["c"], *self.flags, "-E", "-dD", "-x", "c", "-"]
        text = "#include <mpi.h>\n"
        found = subprocess.run(command, input=text, text=True, capture_output=True, check=True)
        return {name.lower() for name in re.findall(r"\bMPIX?_\w+", found.stdout)}

    def build(self, entry):
        """Makes FOLDER/entry.program, once: several entries may run one program, at the same time. Newer: it
        cannot, and the reason is that it needs a later version of MPI."""
        for name, why in OTHERWISE[self.mpi].items():
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
        language = "fortran" if fortran else "cxx" if cxx else "c"
        if language not in self.words:
            raise Newer(NO_FORTRAN)
        with open(os.path.join(ROOT, entry.source), encoding="utf-8") as stream:
            source = stream.read()
        twin = entry.program.endswith("_ok") and re.search(r"^#if.*TWIN", source, re.M)
        threads = "threads_" in entry.program or "omp" in source
        of_language = {
            "c": C_FLAGS,
            "cxx": [],
            "fortran": [f"-J{os.path.dirname(target)}", "-ffixed-line-length-none"],
        }
        command = [
            self.words[language],
            *self.flags,
            *of_language[language],
            *(["-fopenmp"] if threads else ["-pthread"]),
            *(["-DTWIN"] if twin else []),
            "-o",
            target,
            os.path.join(ROOT, entry.source),
            *self.libraries,
        ]
        done = subprocess.run(command, text=True, capture_output=True, check=False)
        if done.returncode == 0:
            return
        missing = {name.rstrip("_") for name in re.findall(r"\bMPIX?_\w+", done.stderr, re.I)}
        newer = sorted(name for name in missing if name.lower() not in self.names)
        if newer:
            raise Newer(f"this MPI has no {', '.join(newer)}")
        raise RuntimeError(done.stderr)


def compile_one(mpi, build, source, target):
    """One program, of a source in the tree, compiled for another MPI in place of TARGET."""
    folder, program = os.path.split(os.path.abspath(target))
    Compiler(mpi, build, folder).build(types.SimpleNamespace(name=program, program=program, source=source))

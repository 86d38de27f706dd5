#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A tool's library with wrappers (MPI_X that call PMPI_X), of another MPI like the program: it gets the
handles of that, each call comes to it once, and what it looks up as the next MPI_X is isp's.

usage: other_mpi.py ISP COMPILER [OPTION...]    (options that come behind the source)
"""
import os
import subprocess
import sys
import tempfile

TOOL = """
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int MPI_Init(int *argc, char ***argv)
{
    puts("tool: MPI_Init");
    return PMPI_Init(argc, argv);
}
int MPI_Send(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    printf("tool: MPI_Send %d\\n", type == MPI_INT && comm == MPI_COMM_WORLD);
    return PMPI_Send(buf, n, type, to, tag, comm);
}
int MPI_Recv(void *buf, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    int (*next)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Recv");
    printf("tool: MPI_Recv %d\\n", from == MPI_ANY_SOURCE);
    return next(buf, n, type, from, tag, comm, status);
}
"""
PROGRAM = """
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
"""
SAID = ["tool: MPI_Init", "tool: MPI_Init", "tool: MPI_Recv 1", "tool: MPI_Send 1"]


def main():
    isp, (compiler, *last) = os.path.abspath(sys.argv[1]), sys.argv[2:]

    def compile_with(folder, name, text, *options):
        source = os.path.join(folder, name + ".c")
        with open(source, "w", encoding="ascii") as file:
            file.write(text)
        command = [compiler, "-g", "-D_GNU_SOURCE", "-o", os.path.join(folder, name), source, *options, *last]
        subprocess.run(command, check=True)

    with tempfile.TemporaryDirectory() as folder:
        compile_with(folder, "libtool.so", TOOL, "-shared", "-fPIC")
        compile_with(folder, "linked", PROGRAM, "-L" + folder, "-l:libtool.so", "-Wl,-rpath," + folder)
        compile_with(folder, "plain", PROGRAM)
        preload = {"LD_PRELOAD": os.path.join(folder, "libtool.so")}
        for name, env in ("linked", {}), ("plain", preload):
            done = subprocess.run(
                [isp, "-n", "2", os.path.join(folder, name)],
                env={**os.environ, **env},
                capture_output=True,
                text=True,
                timeout=100,
                check=False,
            )
            assert done.returncode == 0, (name, done)
            assert sorted(done.stdout.split("\n"))[1:] == SAID, (name, done)
            print(f"ok a tool that is {'preloaded' if env else name}")


main()

# SPDX-License-Identifier: BSD-3-Clause
"""Both receive first. Twin: one of them sends first."""
import sys

from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
other = comm.rank ^ 1
if other < comm.size:
    if twin and comm.rank == 0:
        comm.ssend("first", dest=other)
        comm.recv(source=other)
    else:
        comm.recv(source=other)  # @deadlock
        comm.ssend("second", dest=other)

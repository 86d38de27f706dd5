# SPDX-License-Identifier: BSD-3-Clause
"""Rank 0 takes for granted whose message comes first. Twin: it looks."""
import sys

from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
if comm.rank == 0:
    status = MPI.Status()
    first = comm.recv(source=MPI.ANY_SOURCE, tag=1, status=status)
    if twin:
        comm.recv(source=3 - status.Get_source(), tag=1)
    else:
        comm.recv(source=2, tag=1)  # @deadlock
elif comm.rank < 3:
    comm.send({"from": comm.rank}, dest=0, tag=1)

# SPDX-License-Identifier: BSD-3-Clause
"""Both send first, and rely on MPI's buffering. Twin: sendrecv."""
import sys

from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
other = comm.rank ^ 1
if other < comm.size:
    if twin:
        comm.sendrecv("text", dest=other, source=other)
    else:
        comm.send("text", dest=other)  # @unsafe-buffering
        comm.recv(source=other)

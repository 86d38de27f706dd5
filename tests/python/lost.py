# SPDX-License-Identifier: BSD-3-Clause
"""A message that nobody receives. Twin: it is received."""
import sys

from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
buffer = bytearray(1000)
MPI.Attach_buffer(buffer)
if comm.rank == 1:
    comm.bsend([1, 2], dest=0)  # @lost-message
elif comm.rank == 0 and twin:
    comm.recv(source=1)

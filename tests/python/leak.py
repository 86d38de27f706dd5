# SPDX-License-Identifier: BSD-3-Clause
"""A communicator is never freed. Twin: it is."""
import sys

from mpi4py import MPI

comm, twin = MPI.COMM_WORLD.Dup(), len(sys.argv) > 1  # @leak-communicator
comm.Barrier()
if twin:
    comm.Free()

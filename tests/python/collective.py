# SPDX-License-Identifier: BSD-3-Clause
"""One rank calls another collective than the others. Twin: the same."""
import sys

from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
if comm.rank == 0 and not twin:
    comm.Barrier()  # @collective-mismatch
else:
    comm.Bcast(bytearray(8), root=1)
    if not twin:
        comm.Barrier()

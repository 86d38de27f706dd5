# SPDX-License-Identifier: BSD-3-Clause
"""An array of doubles is received as one of integers. Twin: as doubles."""
import sys

import numpy as np
from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
if comm.rank == 0:
    comm.Recv(np.zeros(4, dtype="d" if twin else "i"), source=1)  # @type-mismatch
elif comm.rank == 1:
    comm.Send(np.zeros(2), dest=0)

# SPDX-License-Identifier: BSD-3-Clause
"""The array that receives is shorter than the message. Twin: it is longer."""
import sys

import numpy as np
from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
if comm.rank == 0:
    comm.Recv(np.zeros(40 if twin else 2), source=1)  # @truncation
elif comm.rank == 1:
    comm.Send(np.zeros(20), dest=0)

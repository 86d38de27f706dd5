# SPDX-License-Identifier: BSD-3-Clause
"""A receive is never waited for. Twin: it is."""
import sys

import numpy as np
from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
a = np.zeros(3)
if comm.rank == 0:
    request = comm.Irecv(a, source=1)  # @missing-wait
    if twin:
        request.Wait()
elif comm.rank == 1:
    comm.Send(a, dest=0)

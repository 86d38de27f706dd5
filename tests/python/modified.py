# SPDX-License-Identifier: BSD-3-Clause
"""An array is changed while it is being sent. Twin: behind the wait."""
import sys

import numpy as np
from mpi4py import MPI

comm, twin = MPI.COMM_WORLD, len(sys.argv) > 1
a = np.arange(5.0)
if comm.rank == 0:
    request = comm.Isend(a, dest=1)
    if not twin:
        a[2] = 7  # rule: send-buffer-modified (the line is numpy's, in C)
    request.Wait()
    a[2] = 7
elif comm.rank == 1:
    comm.Recv(a, source=0)

# SPDX-License-Identifier: BSD-3-Clause
"""Futures: rank 0 hands out work to the others."""
from mpi4py import MPI
from mpi4py.futures import MPICommExecutor


def square(x):
    return x * x


if __name__ == "__main__":
    with MPICommExecutor(MPI.COMM_WORLD, root=0) as executor:
        if executor is not None:
            assert sum(executor.map(square, range(3))) == 5

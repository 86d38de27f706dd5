/* SPDX-License-Identifier: BSD-3-Clause */
/* What isp tells MPI by way of the environment is gone when MPI_Init returns. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    assert(!getenv("HWLOC_COMPONENTS"));
    MPI_Init(&argc, &argv);
    assert(!getenv("HWLOC_COMPONENTS"));
    MPI_Finalize();
    return 0;
}

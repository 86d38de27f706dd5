// SPDX-License-Identifier: BSD-3-Clause
// A static object is destroyed after MPI_Finalize, and asks before it calls MPI.
#include <mpi.h>

static struct Cache {
    MPI_Comm comm = MPI_COMM_NULL;
    ~Cache()
    {
        int finalized, initialized;
        MPI_Initialized(&initialized);
        MPI_Finalized(&finalized);
        if (initialized && !finalized)
            MPI_Comm_free(&comm);
    }
} cache;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &cache.comm);
    MPI_Barrier(cache.comm);
    MPI_Comm_free(&cache.comm);
    MPI_Finalize();
}

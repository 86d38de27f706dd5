/* SPDX-License-Identifier: BSD-3-Clause */
/* alltoall STEPS BYTES: in each step every rank sends so many bytes to each of the others. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size, steps = argc > 1 ? atoi(argv[1]) : 100, bytes = argc > 2 ? atoi(argv[2]) : 8;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *in = calloc((size_t)bytes, (size_t)size), *out = calloc((size_t)bytes, (size_t)size);
    for (int step = 0; step < steps; step++)
        MPI_Alltoall(out, bytes, MPI_CHAR, in, bytes, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}

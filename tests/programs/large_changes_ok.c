/* SPDX-License-Identifier: BSD-3-Clause */
/* In each of 4 rounds rank 0 takes a message from each of the others, in any order; between any two, each rank changes 24 MB and checks what it had there. So a process that keeps
 * copies of what changes, to go back to (profiler/rewind/), has no room for more after some rounds, and must be forked again. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

enum { ROUNDS = 4, MB = 24, BYTES = MB << 20, STEP = 1024 };

static unsigned char *data, last;

static void change(int by)
{
    for (int i = 0; i < BYTES; i += STEP)
        assert(data[i] == (unsigned char)(last + i / STEP));
    last = (unsigned char)(3 * last + by);
    for (int i = 0; i < BYTES; i += STEP)
        data[i] = (unsigned char)(last + i / STEP);
}

int main(int argc, char **argv)
{
    int rank, size, value;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    data = malloc(BYTES);
    for (int i = 0; i < BYTES; i += STEP)
        data[i] = (unsigned char)(i / STEP);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 1; rank == 0 && i < size; i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
            assert(value == status.MPI_SOURCE);
            change(value);
        }
        if (rank > 0) {
            change(round);
            MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
        }
    }
    free(data);
    MPI_Finalize();
    return 0;
}

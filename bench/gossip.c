/* SPDX-License-Identifier: BSD-3-Clause */
/* gossip ROUNDS FRIENDS: in each round every rank sends a number to its next FRIENDS ranks and takes as many
 * from anybody. All receives of all ranks are wildcards and are pending at once, so there are many
 * interleavings: what one costs is asked. */
#include <mpi.h>
#include <stdlib.h>

enum { MOST = 16 };

int main(int argc, char **argv)
{
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 10, friends = argc > 2 ? atoi(argv[2]) : 3;
    int in[MOST], out[MOST];
    MPI_Request requests[2 * MOST];
    if (friends > MOST)
        return 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < friends; i++) {
            out[i] = rank;
            MPI_Irecv(&in[i], 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &requests[i]);
            MPI_Isend(&out[i], 1, MPI_INT, (rank + 1 + i) % size, round, MPI_COMM_WORLD,
                      &requests[friends + i]);
        }
        MPI_Waitall(2 * friends, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* argv[1] rounds; in each, rank 0 takes a message from each of the others, in any order. The first messages are small, then they grow to 1 MB; each round has a
 * communicator of its own, and a request that is pending over the choice. What came is checked. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

static void fill(int *data, int n, int rank, int round)
{
    for (int i = 0; i < n; i++)
        data[i] = 1000 * rank + round + i;
}

static void check(const int *data, int n, int rank, int round)
{
    for (int i = 0; i < n; i++)
        assert(data[i] == 1000 * rank + round + i);
}

int main(int argc, char **argv)
{
    int rank, size, rounds = argc > 1 ? atoi(argv[1]) : 3, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < rounds; round++) {
        int n = round < 6 ? 1 << 3 * round : 1 << 18, got, late = -1;
        int *data = malloc((size_t)n * sizeof *data);
        MPI_Comm comm;
        MPI_Request request;
        MPI_Status status;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (rank == 0) {
            MPI_Irecv(&late, 1, MPI_INT, size - 1, 1, comm, &request);
            for (int i = 1; i < size; i++) {
                MPI_Recv(data, n, MPI_INT, MPI_ANY_SOURCE, 0, comm, &status);
                MPI_Get_count(&status, MPI_INT, &got);
                assert(got == n);
                check(data, n, status.MPI_SOURCE, round);
            }
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            assert(late == round);
        } else {
            fill(data, n, rank, round);
            if (rank == size - 1)
                MPI_Isend(&round, 1, MPI_INT, 0, 1, comm, &request);
            MPI_Send(data, n, MPI_INT, 0, 0, comm);
            if (rank == size - 1)
                MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
        assert(sum == size * (size - 1) / 2);
        MPI_Comm_free(&comm);
        free(data);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counts primes on n - 1 workers; rank 0 adds up. It works, run after run, and is wrong:
 * the last worker has the largest numbers and so takes longest, and rank 0 relies on that.
 */
#include <mpi.h>
#include <stdio.h>

static int count_primes(int from, int to)
{
    int primes = 0;
    for (int x = from; x < to; x++) {
        int d = 2;
        while (d < x && x % d != 0)
            d++;
        primes += d == x;
    }
    return primes;
}

int main(int argc, char **argv)
{
    enum { LIMIT = 30000, RESULT = 1 };
    int rank, size, part, total = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int worker = 1; worker < size - 1; worker++) { /* whoever is ready */
            MPI_Recv(&part, 1, MPI_INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            total += part;
        }
        MPI_Recv(&part, 1, MPI_INT, size - 1, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the slowest */
        printf("%d primes below %d\n", total + part, LIMIT);
    } else {
        int share = LIMIT / (size - 1);
        part = count_primes((rank - 1) * share, rank == size - 1 ? LIMIT : rank * share);
        MPI_Send(&part, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

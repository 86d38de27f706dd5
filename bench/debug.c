/* SPDX-License-Identifier: BSD-3-Clause */
/* debug SECONDS ROUNDS: each rank computes for so long, hands a value round the ring so many times, sums up
 * in a loop of 100,000 iterations without calls of MPI, and rank 0 waits for a message that nobody sends: a
 * deadlock, to be debugged. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    static double until;
    int rank, size, value = 0, rounds = argc > 2 ? atoi(argv[2]) : 10;
    long sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    until = now() + atof(argc > 1 ? argv[1] : "0"); /* again when one has gone back to MPI_Init */
    while (now() < until)
        value++;
    for (int i = 0; i < rounds; i++) {
        value = rank + i;
        MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < 100000; i++) {
        sum += i % 7;
        value ^= (int)sum;
    }
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, 1, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 works for ever, in templates of the library: one loop, whatever line it is at, and the headline is in
// this file.
#include <mpi.h>

#include <algorithm>
#include <map>
#include <vector>

static long count(std::vector<int> &values)
{
    long sum = 1;
    while (sum > 0) {                            // @hang?
        std::map<int, int> seen;                 // @hang?
        std::sort(values.begin(), values.end()); // @hang?
        for (int value : values)                 // @hang?
            seen[value]++;                       // @hang?
        sum = (long)seen.size();                 // @hang?
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, got;
    std::vector<int> values(500, 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        values[0] = (int)count(values);
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}

// SPDX-License-Identifier: BSD-3-Clause
// C++: an element of a std::vector goes by two ranks.
// @ask 3: focus 0; why values._M_impl._M_start[4]; why; why
#include <mpi.h>
#include <vector>

static void fill(std::vector<double> &values)
{
    for (std::size_t i = 0; i < values.size(); i++)
        values[i] = i * 1.5;
    values[1] = -4; // @wrong 2
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> values(6);
    if (rank == 2) {
        fill(values);
        MPI_Send(values.data(), 3, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&values[2], 3, MPI_DOUBLE, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&values[2], 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&values[3], 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return values[0] > 1;
}

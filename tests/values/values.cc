// SPDX-License-Identifier: BSD-3-Clause
// values NAME: as values.c.
#include <mpi.h>

#include <array>
#include <cstring>
#include <vector>

static int rank;

template <typename Change> static void send(void *buffer, int count, MPI_Datatype type, Change change)
{
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(buffer, count, type, 1, 0, MPI_COMM_WORLD, &request);
        change();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else
        MPI_Recv(buffer, count, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// SAYS v[6]: 1.5 → 3.5
static void of_vector()
{
    std::vector<double> v(10, 1.5);
    send(v.data(), 10, MPI_DOUBLE, [&] { v[6] = 3.5; });
}

// SAYS a[1]: 0 → 4
static void of_array()
{
    static std::array<int, 3> a;
    send(a.data(), 3, MPI_INT, [] { a[1] = 4; });
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && std::strcmp(argv[1], "of_vector") == 0)
        of_vector();
    if (argc > 1 && std::strcmp(argv[1], "of_array") == 0)
        of_array();
    MPI_Finalize();
}

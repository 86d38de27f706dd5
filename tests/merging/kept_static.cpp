// SPDX-License-Identifier: BSD-3-Clause
// A static member, of a class in a namespace, keeps the last message; it does not matter.
#include <mpi.h>

namespace work {
struct Counter {
    static int last;
};
int Counter::last;
} // namespace work

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; rank == 0 && i < size; i++) {
        int message;
        MPI_Recv(&message, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        work::Counter::last = message;
        message = 0;
    }
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call that makes a communicator whose members MPI chooses; each carries a message and a collective. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void use(MPI_Comm comm)
{
    int rank, size, sum, from;

    if (comm == MPI_COMM_NULL)
        return;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &from, 1, MPI_INT, (rank + size - 1) % size, 0, comm,
                 MPI_STATUS_IGNORE);
    if (sum != size * (size - 1) / 2 || from != (rank + size - 1) % size)
        exit(1);
    MPI_Comm_disconnect(&comm);
    if (comm != MPI_COMM_NULL)
        exit(2);
}

int main(int argc, char **argv)
{
    int dims[] = {2, 2}, periods[] = {1, 1}, keep[] = {0, 1}, index[] = {1, 2}, edges[] = {1, 0}, rank, size;
    MPI_Comm comm, part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &comm);
    if (comm != MPI_COMM_NULL) {
        MPI_Cart_sub(comm, keep, &part);
        use(part);
    }
    use(comm);
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &comm); /* a communicator for two ranks */
    if ((comm == MPI_COMM_NULL) != (rank >= 2))
        exit(3);
    use(comm);
    int next = (rank + 1) % size, last = (rank + size - 1) % size, one = 1;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    use(comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &comm);
    use(comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, size - rank, MPI_INFO_NULL, &comm);
    use(comm);
    MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    if ((comm == MPI_COMM_NULL) != (rank == 0))
        exit(4);
    use(comm);
    MPI_Finalize();
    return 0;
}

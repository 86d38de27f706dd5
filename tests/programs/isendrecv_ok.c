/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of MPI_Isendrecv: one request is complete when both halves are; its status is the receive's. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, from, x, index;
    MPI_Request r[2];
    MPI_Status s;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    from = (rank + size - 1) % size;
    x = rank;
    MPI_Isendrecv_replace(&x, 1, MPI_INT, (rank + 1) % size, 0, from, 0, MPI_COMM_WORLD, &r[0]);
    r[1] = MPI_REQUEST_NULL;
    MPI_Waitany(2, r, &index, &s);
    assert(index == 0 && s.MPI_SOURCE == from && x == from);
    MPI_Finalize();
    return 0;
}

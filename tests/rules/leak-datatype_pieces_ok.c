/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A type that is freed while others are made of it, or while a message of it is pending. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in[2], out[2] = {1, 2};
    MPI_Datatype two, copy;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_dup(two, &copy);
    MPI_Type_free(&two);
    MPI_Type_commit(&copy);
    MPI_Irecv(in, 1, copy, 1 - rank, 0, MPI_COMM_WORLD, &r);
    MPI_Type_free(&copy);
    MPI_Send(out, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

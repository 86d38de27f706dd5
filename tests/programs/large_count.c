/* SPDX-License-Identifier: BSD-3-Clause */
/* Three billion bytes that nobody receives: counts beyond 2^31 in calls and in types. MPI never sees them. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char x[64] = {0};
    MPI_Datatype type;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_hvector_c(1500000000, 2, 0, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    if (rank == 0) {
        MPI_Isend_c(x, 3000000000, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &r); /* @lost-message */
        MPI_Request_free(&r);
        MPI_Issend(x, 1, type, 1, 1, MPI_COMM_WORLD, &r); /* @lost-message */
        MPI_Request_free(&r);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}

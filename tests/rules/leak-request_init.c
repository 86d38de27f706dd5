/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Persistent requests of a derived type are made for two neighbours, and one of them is freed. */
/* Twin: both are freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in[4], out[4] = {1, 2, 3, 4};
    MPI_Datatype column;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Recv_init(in, 1, column, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Send_init(out, 1, column, 1 - rank, 0, MPI_COMM_WORLD, &r[1]); /* @leak-request */
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Request_free(&r[0]);
#ifdef TWIN
    MPI_Request_free(&r[1]);
#endif
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Every rank makes a request for both neighbours, and starts only those that are used; the last rank has nobody to send to. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in[2];
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int side = 0; side < 2; side++)
        MPI_Recv_init(&in[side], 1, MPI_INT, side ? (rank + 1) % 3 : (rank + 2) % 3, 0, MPI_COMM_WORLD, &r[side]);
    if (rank > 0)
        MPI_Start(&r[0]);
    if (rank < 2)
        MPI_Send(&rank, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    for (int side = 0; side < 2; side++)
        MPI_Request_free(&r[side]);
    MPI_Finalize();
    return 0;
}

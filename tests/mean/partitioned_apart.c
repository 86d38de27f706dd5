/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: it was not tried that partitions arrive apart from each other */
/* Five partitions of 4 bytes are sent, and two of 10 bytes received. The first of these may arrive before the
 * sender goes on to its last one (MPI-4.0, 4.2.2), and the assertion fails. isp cuts the two sides into
 * different pieces, and has both arrive at once: it says so. The twin asks for nothing but the whole. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, early = 0;
    char out[20] = {0}, in[20];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Psend_init(out, 5, 4, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        MPI_Pready_range(0, 3, request);
        MPI_Recv(&early, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Pready(4, request);
    } else {
        MPI_Precv_init(in, 2, 10, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
#ifndef TWIN
        MPI_Parrived(request, 0, &early);
#endif
        assert(!early);
        MPI_Send(&early, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 adds up what it is to receive into every second place, on a part of the communicator. */
/* isp -n 3 */
/* Twin: rank 1 adds up the places between those that it is to receive into. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double sum = 0, data[8] = {0};
    MPI_Comm part;
    MPI_Datatype every_second;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, -rank, &part);
    MPI_Type_vector(4, 1, 2, MPI_DOUBLE, &every_second);
    MPI_Type_commit(&every_second);
    if (rank == 1) {
        MPI_Irecv(data, 1, every_second, 0, 0, part, &request);
#ifdef TWIN
        for (int i = 1; i < 8; i += 2)
#else
        for (int i = 0; i < 8; i += 2)
#endif
            sum += data[i]; /* @receive-buffer-accessed */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Send(data, 4, MPI_DOUBLE, 1, 0, part);
    }
    MPI_Type_free(&every_second);
    MPI_Comm_free(&part);
    MPI_Finalize();
    return sum > 0;
}

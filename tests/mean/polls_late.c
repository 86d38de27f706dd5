/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Rank 1 computes before each of its messages, longer than a rank that goes ahead waits for MPI to say yes to
 * a poll: so isp is asked, and MPI says yes before isp knows what rank 1 does. */
/* interleavings 8, twin 8 */
#include <mpi.h>
#include <unistd.h>

static void receive(void)
{
    int value, flag = 0, n, indices[2];
    MPI_Status status;
    MPI_Message message;
    MPI_Request requests[2];
    while (!flag)
        MPI_Improbe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[0]);
    for (flag = 0; !flag;)
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_Irecv(&value, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&value, 0, MPI_INT, 0, 3, MPI_COMM_WORLD, &requests[1]);
    for (n = 0; n == 0;)
        MPI_Testsome(2, requests, &n, indices, MPI_STATUSES_IGNORE);
    MPI_Send(&value, 0, MPI_INT, 0, 3, MPI_COMM_WORLD);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, value = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        receive();
    for (int tag = 0; tag < 3 && rank == 1; tag++) {
        usleep(150000);
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
#ifndef TWIN
    if (rank == 1)
        MPI_Send(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD); /* @lost-message */
#endif
    MPI_Finalize();
    return 0;
}

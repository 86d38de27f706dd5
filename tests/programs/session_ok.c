/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI without MPI_Init: a communicator of all ranks, an intercommunicator, and a second session in between. */
#include <mpi.h>
#include <stdlib.h>

static MPI_Group part(MPI_Group all, int first, int count)
{
    MPI_Group some;
    MPI_Group_range_incl(all, 1, (int[][3]){{first, first + count - 1, 1}}, &some);
    return some;
}

int main(int argc, char **argv)
{
    int rank, size, flag, sum = 0, got = -1;
    MPI_Session session, second;
    MPI_Group all, mine, other;
    MPI_Comm comm, inter;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Initialized(&flag);
    if (flag)
        exit(1);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "everybody", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != size * (size - 1) / 2)
        exit(2);
    int half = size / 2, low = rank < half;
    mine = part(all, low ? 0 : half, low ? half : size - half);
    other = part(all, low ? half : 0, low ? size - half : half);
    MPI_Intercomm_create_from_groups(mine, 0, other, 0, "halves", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inter);
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, inter);
    if (rank == half)
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, inter, MPI_STATUS_IGNORE);
    if (rank == half && got != 0)
        exit(3);
    MPI_Session_finalize(&second);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&comm);
    MPI_Group_free(&mine);
    MPI_Group_free(&other);
    MPI_Group_free(&all);
    MPI_Session_finalize(&session);
    MPI_Finalized(&flag);
    return flag ? 4 : 0;
}

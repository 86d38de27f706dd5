/* SPDX-License-Identifier: BSD-3-Clause */
/* A session before MPI_Init, which outlives MPI_Finalize; its communicator is never freed. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, got = -1;
    MPI_Session session;
    MPI_Group all;
    MPI_Comm comm;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "x", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm); /* @leak-communicator */
    MPI_Group_free(&all);
    MPI_Finalize();
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &got, 1, MPI_INT, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
    if (got != 1 - rank)
        exit(1);
    MPI_Session_finalize(&session);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks name different strings: so each waits for the others' half of another communicator. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Session session;
    MPI_Group all;
    MPI_Comm comm;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_rank(all, &rank);
    MPI_Comm_create_from_group(all, rank ? "ours" : "mine", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm); /* @deadlock */
    MPI_Comm_free(&comm);
    MPI_Group_free(&all);
    MPI_Session_finalize(&session);
    return 0;
}

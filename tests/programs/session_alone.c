/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank leaves, and the others use a session, for which they need not wait for it (MPI-4.0, section 11.3):
 * isp makes them, but does not call that a hang. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    const char *rank = getenv("PMI_RANK");
    MPI_Session session;
    if (rank && strcmp(rank, "1") == 0)
        return 0;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_finalize(&session);
    return 0;
}

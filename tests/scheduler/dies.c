/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 prints, and dies in the way that is asked for. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, got;
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("\n====\nlast words"); /* without an end of line */
        fflush(stdout);
        fprintf(stderr, "complaint\n");
        if (strcmp(how, "segv") == 0)
            raise(SIGSEGV);
        if (strcmp(how, "abort") == 0)
            abort();
        if (strcmp(how, "kill") == 0)
            raise(SIGKILL);
        if (strcmp(how, "_exit") == 0)
            _exit(4);
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (strcmp(how, "late") == 0 && rank == 1)
        abort();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 does not call MPI_Init, and the others wait there for it. How: the argument. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void stay_away(const char *how)
{
    if (strcmp(how, "leaves") == 0)
        exit(0);
    if (strcmp(how, "vanishes") == 0)
        _exit(0);
    if (system("sleep 60")) /* a child that has the rank in its environment, too */
        exit(1);
}

int main(int argc, char **argv)
{
    const char *rank = getenv("PMI_RANK");
    if (argc > 1 && rank && strcmp(rank, "1") == 0)
        stay_away(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * argv: seconds, messages, mode. Rank 1 computes for so many seconds; meanwhile rank 0 has begun a line, and
 * ends it then. Then rank 0 takes so many messages of each other rank, in any order. Mode: "ok"; "some": it
 * waits for one more after some of these orders; "all": all ranks wait for ever after each; "asks": rank 0
 * reads a line at first.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, n, from, hash = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    int messages = atoi(argv[2]);
    char line[80] = "nothing\n";
    if (strcmp(argv[3], "asks") == 0 && rank == 0) {
        puts("what?");
        fflush(stdout);
        char *got = fgets(line, sizeof line, stdin);
        printf("read %s", got ? got : line);
    }
    if (rank == 0)
        fputs("begun ", stdout);
    fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        usleep((useconds_t)(atof(argv[1]) * 1e6));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("ended");
    for (int i = 0; rank && i < messages; i++)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; !rank && i < messages * (n - 1); i++) {
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        hash = hash * 31 + from;
    }
    if (strcmp(argv[3], "some") == 0 && !rank && hash % 7 == 0)
        MPI_Recv(&from, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(argv[3], "all") == 0)
        MPI_Recv(&from, 1, MPI_INT, (rank + 1) % n, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 touches what it has given to MPI, in a buffer of pages and in a variable: isp watches both. Where it
 * is to be looked at, it waits for a file. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int small;
static const char *folder;

static void write_own_id(void)
{
    char path[4096], whole[4096];
    snprintf(path, sizeof path, "%s/new", folder);
    snprintf(whole, sizeof whole, "%s/pid", folder);
    FILE *out = fopen(path, "w");
    fprintf(out, "%d\n", (int)getpid());
    fclose(out);
    rename(path, whole);
}

static void wait_to_be_looked_at(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/go", folder);
    write_own_id();
    while (access(path, F_OK) != 0)
        usleep(1000);
}

static int sum_of(const int *large, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += large[1024 * i]; /* @sum */
    return sum;
}

int main(int argc, char **argv)
{
    int rank, n = 1 << 16;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Init(&argc, &argv);
    folder = argv[1];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *large = aligned_alloc(4096, n * sizeof *large);
    memset(large, 0, n * sizeof *large);
    if (rank == 0) {
        MPI_Send(large, n, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(large, n, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&small, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
        wait_to_be_looked_at();             /* @wait */
        int sum = sum_of(large, 8);         /* @touch */
        small = sum;                        /* @store */
        sum += small;                       /* @load */
        MPI_Waitall(2, requests, statuses); /* @waitall */
        MPI_Barrier(MPI_COMM_WORLD);        /* @barrier */
        *(volatile int *)16 = sum;          /* @crash */
    }
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

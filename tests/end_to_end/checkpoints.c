/* SPDX-License-Identifier: BSD-3-Clause */
/* What rank 0 does after its first choice, by argument: "reads" a file, or "shares" memory. See
 * checkpoints.py. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static volatile int *count;

static void act(const char *what)
{
    if (strcmp(what, "shares") == 0)
        count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *f = strcmp(what, "reads") == 0 ? fopen("/proc/version", "r") : NULL;
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    int rank, n, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 1; rank == 0 && i < n; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i == 1)
            act(argv[1]);
        if (count)
            ++*count;
    }
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (count && *count != n - 1) /* another interleaving has counted, too */
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

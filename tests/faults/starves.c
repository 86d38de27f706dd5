/* SPDX-License-Identifier: BSD-3-Clause */
/* starves KB: rank 0 may have so much more memory than it has when it begins; then it makes requests of which
 * isp's library must keep track. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { N = 30000 };
static MPI_Request requests[N];
static MPI_Status statuses[N];
static int values[N];

static void limit(long kb)
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld", &pages) != 1)
        exit(3);
    fclose(f);
    struct rlimit most = {(rlim_t)(pages * sysconf(_SC_PAGESIZE) + kb * 1024), RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &most);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        limit(atol(argv[1]));
    for (int i = 0; i < N; i++)
        if (rank == 0)
            MPI_Isend(&values[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
        else
            MPI_Irecv(&values[i], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(N, requests, statuses);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank is killed in MPI_Init, when UCX has made a segment of shared memory and is about to take its name away. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* In front of the C library's. */
int shm_unlink(const char *name)
{
    const char *rank = getenv("PMI_RANK");
    char path[256];
    if (rank && strcmp(rank, "1") == 0)
        raise(SIGKILL);
    snprintf(path, sizeof path, "/dev/shm/%s", name[0] == '/' ? name + 1 : name);
    return unlink(path);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* incomplete: and rank 2 looks at it after MPI_Barrier at */
/*
 * Rank 1 writes a file by the C library, rank 2 looks whether it is there. No message orders the two: both
 * answers are right, time decides, and isp chooses no order of what is not MPI's. In the twin a second
 * barrier is between them (MPI-4.0, 6.3); and each rank writes one of its own.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

static void write_file(const char *name)
{
    FILE *file = fopen(name, "w");
    if (file)
        fclose(file);
}

int main(int argc, char **argv)
{
    int rank;
    char name[100], own[120];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
    snprintf(own, sizeof own, "%s.%d", name, rank);
    if (rank == 0)
        unlink(name);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        write_file(name);
    write_file(own);
#ifdef TWIN
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    if (rank == 2 && access(name, R_OK) != 0)
        fprintf(stderr, "it is not there yet\n");
    MPI_Barrier(MPI_COMM_WORLD);
    unlink(own);
    if (rank == 0)
        unlink(name);
    MPI_Finalize();
    return 0;
}
/* interleavings 1, twin 1 */

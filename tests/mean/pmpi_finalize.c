/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* A profiler: MPI_Init and MPI_Finalize of the program's own, in which the ranks tell rank 0 what they have
 * counted, on a communicator of its own (MPI-4.0, section 15.2). The wrong one lets rank 0 begin with the
 * sum where the others gather: 6.13, and 5.1 of MPI-3.1. */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm ours;
static int sends;

int MPI_Init(int *argc, char ***argv)
{
    int rc = PMPI_Init(argc, argv);
    PMPI_Comm_dup(MPI_COMM_WORLD, &ours);
    return rc;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}

int MPI_Finalize(void)
{
    int rank, all[3], sum = 0;
    PMPI_Comm_rank(ours, &rank);
#ifndef TWIN
    if (rank == 0)
        PMPI_Reduce(&sends, &sum, 1, MPI_INT, MPI_SUM, 0, ours);
    else
#endif
        PMPI_Gather(&sends, 1, MPI_INT, all, 1, MPI_INT, 0, ours);
    PMPI_Comm_free(&ours);
    return PMPI_Finalize() + (sum > 3);
}

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < 3; i++)
        MPI_Recv(&value, 1, MPI_INT, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize(); /* @collective-mismatch */
    return 0;
}
/* interleavings 1, twin 1 */

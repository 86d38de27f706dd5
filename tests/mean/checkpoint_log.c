/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* An enemy: each rank writes a log from the start on, and rank 0 its result at the end. Nobody reads them, so
 * nothing depends on them, and nothing is incomplete. Wrong is only the order in which rank 0 receives. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, first, second;
    char name[200];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.log.%d", argv[0], rank);
    FILE *log = fopen(name, "a"), *result;
    assert(log && fprintf(log, "begins\n") > 0);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        snprintf(name, sizeof name, "%s.result", argv[0]);
        assert((result = fopen(name, "w")) && fprintf(result, "%d %d\n", first, second) > 0 &&
               fclose(result) == 0);
#ifndef TWIN
        assert(first != 2); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    fclose(log);
    MPI_Finalize();
    return 0;
}

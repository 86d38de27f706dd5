/* SPDX-License-Identifier: BSD-3-Clause */
/* The tries are counted in memory from malloc, by a function: each of five tests may fail (MPI-4.0, 3.7.3). */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

struct patience {
    char room[40];
    int there, tries;
};

static int is_there(MPI_Request *request, struct patience *patience)
{
    MPI_Test(request, &patience->there, MPI_STATUS_IGNORE);
    patience->tries++;
    return patience->there;
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        struct patience *patience = calloc(1, sizeof *patience);
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        while (!is_there(&request, patience) && patience->tries < 5)
            ;
#ifndef TWIN
        assert(patience->there); /* @assertion */
#endif
        if (!patience->there)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        free(patience);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A generalized request stands for two messages of the program's own; its functions are called as the standard says. */
#include <assert.h>
#include <mpi.h>

static int queried, freed;

static int query(void *state, MPI_Status *status)
{
    queried++;
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    freed++;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, x, n = 0, count, flag;
    MPI_Request r;
    MPI_Status s;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Grequest_start(query, release, cancel, &n, &r);
        MPI_Test(&r, &flag, &s);
        assert(!flag && queried == 0);
        for (; n < 2; n++)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
        MPI_Grequest_complete(r);
        MPI_Wait(&r, &s);
        MPI_Get_count(&s, MPI_INT, &count);
        assert(count == 2 && queried == 1 && freed == 1 && r == MPI_REQUEST_NULL);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

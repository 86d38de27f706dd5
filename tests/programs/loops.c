/* SPDX-License-Identifier: BSD-3-Clause */
/* Two workers report five times: twice in loops that are marked, one within the other, twice to a function, and once to main. */
#include <isp.h>
#include <mpi.h>

static int rank, round_;

static void report(void)
{
    int x = 0;
    round_++;
    if (rank) {
        MPI_Send(&rank, 1, MPI_INT, 0, round_, MPI_COMM_WORLD);
        return;
    }
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, round_, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, round_, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void twice(void)
{
    report();
    report();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    isp_loop_end(); /* of nothing */
    isp_loop_begin();
    isp_loop_begin();
    report();
    isp_loop_end();
    report();
    isp_loop_end();
    twice();
    report();
    MPI_Finalize();
    return 0;
}

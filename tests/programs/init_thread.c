/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init_thread and what tells its level. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int provided, query, is_main;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Query_thread(&query);
    MPI_Is_thread_main(&is_main);
    assert(query == provided && is_main);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

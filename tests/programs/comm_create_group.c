/* SPDX-License-Identifier: BSD-3-Clause */
/* Three of four ranks make a communicator without the fourth. */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x, without = 1;
    MPI_Group all, three;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_excl(all, 1, &without, &three);
    if (rank != without) {
        MPI_Comm_create_group(MPI_COMM_WORLD, three, 0, &comm);
        MPI_Allreduce(&rank, &x, 1, MPI_INT, MPI_SUM, comm);
        assert(x == 5);
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&three);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}

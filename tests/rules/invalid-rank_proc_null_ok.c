/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* MPI_PROC_NULL is a rank for messages and accesses, and MPI_Group_translate_ranks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size;
    int x = 0, null = MPI_PROC_NULL, same;
    MPI_Group group;
    MPI_Win win;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, &x, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Probe(MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_translate_ranks(group, 1, &null, MPI_GROUP_EMPTY, &same);
    MPI_Group_free(&group);
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Get(&x, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A dynamic window is made twice, and freed once. */
/* Twin: both are freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win[2];

    MPI_Init(&argc, &argv);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win[0]); /* @leak-window */
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win[1]);
    MPI_Win_free(&win[1]);
#ifdef TWIN
    MPI_Win_free(&win[0]);
#endif
    MPI_Finalize();
    return 0;
}

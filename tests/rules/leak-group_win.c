/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* The group of a window is a handle of its own, which is never freed. */
/* Twin: it is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int x = 0;
    MPI_Win win;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_get_group(win, &group); /* @leak-group */
#ifdef TWIN
    MPI_Group_free(&group);
#endif
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

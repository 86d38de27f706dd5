/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects may be freed after MPI_Finalize, but these never are: one of before MPI_Init, one of between, and one of after
 * MPI_Finalize. */
/* Twin: info objects may be used and freed at any time: one of before MPI_Init, one of between, and one of
 * after MPI_Finalize. */
#include <mpi.h>
#ifdef TWIN
#include <stdlib.h>

static MPI_Info last;

static void leave(void)
{
    MPI_Info_free(&last);
}
#endif

int main(int argc, char **argv)
{
#ifdef TWIN
    MPI_Info before, between;
#else
    MPI_Info before, between, last;
#endif

    MPI_Info_create(&before); /* @leak-info */
    MPI_Init(&argc, &argv);
    MPI_Info_create(&between);
    MPI_Finalize();
    MPI_Info_create(&last); /* @leak-info */
#ifdef TWIN
    atexit(leave);
    MPI_Info_free(&before);
    MPI_Info_free(&between);
#else
    MPI_Info_free(&between);
    MPI_Info_create(&between); /* @leak-info */
#endif
    return 0;
}

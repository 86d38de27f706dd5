/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects may be used and freed at any time: one of before MPI_Init, one of between, and one of after MPI_Finalize. */
#include <mpi.h>
#include <stdlib.h>

static MPI_Info last;

static void leave(void)
{
    MPI_Info_free(&last);
}

int main(int argc, char **argv)
{
    MPI_Info before, between;

    MPI_Info_create(&before);
    MPI_Init(&argc, &argv);
    MPI_Info_create(&between);
    MPI_Finalize();
    MPI_Info_create(&last);
    atexit(leave);
    MPI_Info_free(&before);
    MPI_Info_free(&between);
    return 0;
}

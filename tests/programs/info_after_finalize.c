/* SPDX-License-Identifier: BSD-3-Clause */
/* Info objects may be freed after MPI_Finalize, but these never are: one of before MPI_Init, one of between, and one of after
 * MPI_Finalize. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info before, between, last;

    MPI_Info_create(&before); /* @leak-info */
    MPI_Init(&argc, &argv);
    MPI_Info_create(&between);
    MPI_Finalize();
    MPI_Info_create(&last); /* @leak-info */
    MPI_Info_free(&between);
    MPI_Info_create(&between); /* @leak-info */
    return 0;
}

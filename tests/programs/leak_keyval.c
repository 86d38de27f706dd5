/* SPDX-License-Identifier: BSD-3-Clause */
/* A keyval and an info object are never freed. */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int key;
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL); /* @leak-keyval */
    MPI_Info_create(&info); /* @leak-info */
    MPI_Finalize();
    return 0;
}

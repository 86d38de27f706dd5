/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* An attribute key is used, and never freed. */
/* Twin: it is freed as soon as no more attributes are set with it. */
#include <mpi.h>

#include <stddef.h>

int main(int argc, char **argv)
{
    int key, x = 1;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL); /* @leak-keyval */
    MPI_Comm_set_attr(comm, key, &x);
#ifdef TWIN
    MPI_Comm_free_keyval(&key);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* Keys of types and of windows leak as those of communicators do. */
/* Twin: both are freed. */
#include <mpi.h>

#include <stddef.h>

int main(int argc, char **argv)
{
    int key[2], x = 1;
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &key[0], NULL); /* @leak-keyval */
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &key[1], NULL); /* @leak-keyval */
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, key[0], &x);
    MPI_Type_free(&type);
#ifdef TWIN
    MPI_Type_free_keyval(&key[0]);
    MPI_Win_free_keyval(&key[1]);
#endif
    MPI_Finalize();
    return 0;
}

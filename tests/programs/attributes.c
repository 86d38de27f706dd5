/* SPDX-License-Identifier: BSD-3-Clause */
/* Attributes and names, which are local. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int key, flag, value = 9, *got;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &got, &flag);
    assert(flag && *got == 9);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}

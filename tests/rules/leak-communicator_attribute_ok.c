/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A communicator is kept as an attribute of another, and its delete function frees it, in MPI_Comm_free and in MPI_Finalize. */
#include <mpi.h>

#include <stddef.h>

static int release(MPI_Comm comm, int key, void *value, void *state)
{
    return MPI_Comm_free(value);
}

int main(int argc, char **argv)
{
    static MPI_Comm inner[2];
    int key;
    MPI_Comm outer;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, release, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &outer);
    MPI_Comm_dup(outer, &inner[0]);
    MPI_Comm_set_attr(outer, key, &inner[0]);
    MPI_Comm_dup(MPI_COMM_SELF, &inner[1]);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &inner[1]);
    MPI_Comm_free_keyval(&key);
    MPI_Comm_free(&outer);
    MPI_Finalize();
    return 0;
}

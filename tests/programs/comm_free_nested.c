/* SPDX-License-Identifier: BSD-3-Clause */
/* An attribute holds a communicator, and its delete function frees it: at MPI_Comm_free of the one that it is
 * attached to, and in MPI_Finalize for MPI_COMM_SELF. With an argument the latter is not attached, and leaks. */
#include <mpi.h>
#include <stdlib.h>

static int deleted;

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    deleted++;
    MPI_Comm_free(value);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int keyval;
    MPI_Comm outer, inner;
    static MPI_Comm last;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &keyval, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &outer);
    MPI_Comm_dup(outer, &inner);
    MPI_Comm_dup(outer, &last); /* @leak-communicator */
    MPI_Comm_set_attr(outer, keyval, &inner);
    if (argc == 1)
        MPI_Comm_set_attr(MPI_COMM_SELF, keyval, &last);
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_free(&outer);
    if (deleted != 1 || inner != MPI_COMM_NULL)
        abort();
    MPI_Finalize();
    return 0;
}

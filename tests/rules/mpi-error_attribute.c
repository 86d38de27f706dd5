/* SPDX-License-Identifier: BSD-3-Clause */
/* The copy function of an attribute fails, and with it MPI_Comm_dup. */
/* Twin: the copy function of an attribute does not copy it, and all is well. */
#include <mpi.h>

static int refuse(MPI_Comm old, int keyval, void *extra, void *in, void *out, int *flag)
{
    *flag = 0;
#ifdef TWIN
    return MPI_SUCCESS;
#else
    return MPI_ERR_OTHER;
#endif
}

int main(int argc, char **argv)
{
    int keyval;
    MPI_Comm first, second = MPI_COMM_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &keyval, &keyval);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_set_attr(first, keyval, &keyval);
    MPI_Comm_dup(first, &second); /* @mpi-error */
    MPI_Comm_delete_attr(first, keyval);
    MPI_Comm_free(&second);
    MPI_Comm_free(&first);
    MPI_Comm_free_keyval(&keyval);
    MPI_Finalize();
    return 0;
}

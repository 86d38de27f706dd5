/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A communicator that is made where an attribute is copied has the handle of one that was freed. */
#include <stddef.h>

#include <mpi.h>

static MPI_Datatype made;

static int copy_attribute(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra, (void)in;
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Type_contiguous(1, MPI_INT, &made);
    MPI_Type_commit(&made);
    *(void **)out = NULL;
    *flag = 1;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int rank, size;
    int key;
    MPI_Comm comm, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_keyval(copy_attribute, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_attr(comm, key, NULL);
    MPI_Comm_dup(comm, &copy);
    MPI_Barrier(copy);
    MPI_Bcast(&rank, 1, made, 0, copy);
    MPI_Type_free(&made);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}

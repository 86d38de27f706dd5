/* SPDX-License-Identifier: BSD-3-Clause */
/* An attribute's delete function frees a datatype that was used; MPICH gives its handle again, to a longer type. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static MPI_Datatype cached;

static int drop(MPI_Comm comm, int key, void *value, void *state)
{
    return MPI_Type_free(&cached);
}

static void exchange(int rank, MPI_Datatype type, int ints)
{
    int data[6] = {0}, count;
    MPI_Status status;

    if (rank == 0) {
        data[ints - 1] = ints;
        MPI_Send(data, 1, type, 1, 0, MPI_COMM_WORLD);
        return;
    }
    MPI_Probe(0, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == ints);
    MPI_Recv(data, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(data[ints - 1] == ints);
}

int main(int argc, char **argv)
{
    int rank, key;
    MPI_Comm comm;
    MPI_Datatype longer;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &key, NULL);
    MPI_Type_contiguous(2, MPI_INT, &cached);
    MPI_Type_commit(&cached);
    MPI_Comm_set_attr(comm, key, NULL);
    exchange(rank, cached, 2);
    MPI_Comm_free(&comm);
    MPI_Type_contiguous(6, MPI_INT, &longer);
    MPI_Type_commit(&longer);
    exchange(rank, longer, 6);
    MPI_Type_free(&longer);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* An operation of the program's own takes any type; windows know two more operations, one of which reads nothing. */
#include <stddef.h>

#include <mpi.h>

static void first(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

int main(int argc, char **argv)
{
    int rank, size;
    int x[2] = {1, 2}, y[2] = {0}, memory = 0;
    MPI_Datatype pair;
    MPI_Op op;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(first, 1, &op);
    MPI_Allreduce(x, y, 1, pair, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    MPI_Allreduce(x, y, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
    MPI_Win_create(&memory, sizeof memory, sizeof memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, y, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win);
    MPI_Fetch_and_op(NULL, &y[1], MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank writes into its part of a shared window and reads its neighbour's, with loads and stores and with MPI_Get. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, size, unit, value = -1, *mine, *other, *flavor, found;
    MPI_Aint bytes;
    MPI_Comm host;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &rank);
    MPI_Comm_size(host, &size);
    assert(size == 3);
    MPI_Win_allocate_shared(rank == 0 ? 0 : 4, 4, MPI_INFO_NULL, host, &mine, &win);
    assert((rank == 0) == (mine == NULL));
    MPI_Win_shared_query(win, 0, &bytes, &unit, &other);
    assert(bytes == 0 && other == NULL);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &found);
    assert(found && *flavor == MPI_WIN_FLAVOR_SHARED);
    MPI_Win_fence(0, win);
    if (rank > 0)
        *mine = rank;
    MPI_Win_fence(0, win);
    MPI_Win_shared_query(win, 2, &bytes, &unit, &other);
    assert(bytes == 4 && unit == 4 && *other == 2);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &other);
    assert(bytes == 4 && *other == 1);
    MPI_Get(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    assert(value == 2);
    MPI_Win_free(&win);
    MPI_Comm_free(&host);
    MPI_Finalize();
    return 0;
}

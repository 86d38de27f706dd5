/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/*
 * A spin lock of MPI_Compare_and_swap around a counter (MPI-4.0, 12.7.1: accumulates are atomic, so one of them wins). The program
 * gives the lock back before it writes the counter, so an update may be lost.
 */
#include <assert.h>
#include <mpi.h>

static MPI_Win win;
static const int zero, one = 1;

static void take(void)
{
    int old;
    do {
        MPI_Compare_and_swap(&one, &zero, &old, MPI_INT, 0, 0, win);
        MPI_Win_flush(0, win);
    } while (old != 0);
}

static void give(void)
{
    int old;
    MPI_Fetch_and_op(&zero, &old, MPI_INT, 0, 0, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
}

int main(int argc, char **argv)
{
    int rank, *memory, value, unused;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[0] = memory[1] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    take();
    MPI_Fetch_and_op(&unused, &value, MPI_INT, 0, 1, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    value++;
#ifndef TWIN
    give();
#endif
    MPI_Accumulate(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
#ifdef TWIN
    give();
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Fetch_and_op(&unused, &value, MPI_INT, 0, 1, MPI_NO_OP, win);
    MPI_Win_unlock_all(win);
    assert(value == 2); /* @assertion */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

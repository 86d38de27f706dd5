/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 polls until a deadline, which may pass in any execution (MPI-4.0, 3.8.1); isp cannot let time pass. The twin has none. */
/* incomplete: the program asks the time, looks elsewhere, or has too much memory to compare (MPI_Iprobe in main at */
#include <assert.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0, flag = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
#ifdef TWIN
        while (!flag)
#else
        double start = MPI_Wtime();
        while (!flag && MPI_Wtime() < start + 100)
#endif
            MPI_Iprobe(1, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        assert(flag);
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

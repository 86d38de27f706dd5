/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that polls, in the manner of HPL's broadcasts: a panel goes round the ranks, and who has not got
 * it looks for it between pieces of its own work, and hands it on as soon as it is there.
 *
 *   panels N         N panels, each from another rank
 *   panels N late    ... and a rank gives up that has found its last one at the last look
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>

enum { PIECES = 2, LARGEST = 16 };

static int rank, size;

static bool hand_on(int panel, double *data, int owner)
{
    int next = (rank + 1) % size;
    if (next != owner)
        MPI_Send(data, 1, MPI_DOUBLE, next, panel, MPI_COMM_WORLD);
    return true;
}

static bool look(int panel, double *data, int owner)
{
    int before = (rank + size - 1) % size, is;
    MPI_Iprobe(before, panel, MPI_COMM_WORLD, &is, MPI_STATUS_IGNORE);
    if (!is)
        return false;
    MPI_Recv(data, 1, MPI_DOUBLE, before, panel, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return hand_on(panel, data, owner);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    double work[LARGEST] = {0};
    bool late = false;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int panel = 0; panel < n; panel++) {
        int owner = panel % size;
        double data = panel + 1;
        bool is = rank == owner && hand_on(panel, &data, owner);
        for (int piece = 0; piece < PIECES; piece++) {
            is = is || look(panel, &data, owner);
            work[piece] += panel; /* with those before it */
        }
        late = !is;
        while (!is)
            is = look(panel, &data, owner);
        work[PIECES] += data;
    }
    if (work[PIECES] != n * (n + 1) / 2 || (argc > 2 && late))
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}

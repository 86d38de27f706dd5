/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* In a communicator of three ranks each gives doubles to the next one and integers to the others; rank 1 takes integers from all. */
/* Twin: in a communicator of three ranks each gives doubles to the next one and integers to the others. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, me, counts[3] = {2, 2, 2}, at[3] = {0, 16, 32};
    double out[6] = {0}, in[6];
    MPI_Datatype outs[3], ins[3];
    MPI_Comm three;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, -rank, &three);
    if (rank != 0) {
        MPI_Comm_rank(three, &me);
        for (int i = 0; i < 3; i++) {
            outs[i] = i == (me + 1) % 3 ? MPI_DOUBLE : MPI_INT;
#ifdef TWIN
            ins[i] = i == (me + 2) % 3 ? MPI_DOUBLE : MPI_INT;
#else
            ins[i] = i == (me + 2) % 3 && rank != 1 ? MPI_DOUBLE : MPI_INT;
#endif
        }
        MPI_Ialltoallw(out, counts, at, outs, in, counts, at, ins, three, &request); /* @type-mismatch */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&three);
    }
    MPI_Finalize();
    return 0;
}

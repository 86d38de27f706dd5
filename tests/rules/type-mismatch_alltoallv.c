/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* Rank i gives i + j + 1 numbers to rank j; rank 2 takes one less from rank 0. */
/* Twin: rank i gives i + j + 1 numbers to rank j, and each takes just that. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, out[16] = {0}, in[16], outs[3], ins[3], at[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        outs[i] = ins[i] = rank + i + 1;
        at[i] = 5 * i;
    }
    if (rank == 2)
#ifdef TWIN
        ins[0] = 3;
#else
        ins[0] = 2;
#endif
    MPI_Alltoallv(out, outs, at, MPI_INT, in, ins, at, MPI_INT, MPI_COMM_WORLD); /* @type-mismatch */
    MPI_Finalize();
    return 0;
}

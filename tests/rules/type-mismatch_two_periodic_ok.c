/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A ring of two: each is the left and the right neighbour of the other, and what goes left comes from the right. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n = 2, yes = 1, counts[2] = {1, 2}, outs[2] = {1, 2}, at[2] = {0, 2}, x[4] = {0}, y[4];
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &yes, 0, &ring);
    MPI_Neighbor_alltoallv(x, outs, at, MPI_INT, y, counts, at, MPI_INT, ring);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}

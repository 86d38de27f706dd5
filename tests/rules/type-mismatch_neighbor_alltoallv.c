/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 4 */
/* On a ring each gives one number to the left and two to the right; rank 3 takes them the other way round. */
/* Twin: on a ring each gives one number to the left and two to the right. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 4, yes = 1, out[4] = {0}, in[4], outs[2] = {1, 2}, ins[2] = {2, 1}, at[2] = {0, 2};
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, &yes, 0, &ring);
    MPI_Comm_rank(ring, &rank);
#ifdef TWIN
    if (0) {
#else
    if (rank == 3) {
#endif
        ins[0] = 1;
        ins[1] = 2;
    }
    MPI_Neighbor_alltoallv(out, outs, at, MPI_INT, in, ins, at, MPI_INT, ring); /* @type-mismatch */
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}

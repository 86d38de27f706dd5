/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* A type is made in each of five turns, and only the last is freed: one finding, with the count. */
/* Twin: each is freed in its turn. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sizes[] = {4, 4}, part[] = {2, 2}, start[] = {1, 1};
    MPI_Datatype block;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 5; i++) {
        MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &block); /* @leak-datatype */
        MPI_Type_commit(&block);
#ifdef TWIN
        MPI_Type_free(&block);
    }
#else
    }
    MPI_Type_free(&block);
#endif
    MPI_Finalize();
    return 0;
}

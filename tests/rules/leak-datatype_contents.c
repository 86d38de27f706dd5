/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 1 */
/* MPI_Type_get_contents gives handles of the derived types inside, which must be freed. */
/* Twin: they are freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int numbers[3];
    MPI_Aint addresses[1];
    MPI_Datatype inner, outer, part;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_vector(3, 1, 4, inner, &outer);
    MPI_Type_free(&inner);
    MPI_Type_get_contents(outer, 3, 0, 1, numbers, addresses, &part); /* @leak-datatype */
    MPI_Type_free(&outer);
#ifdef TWIN
    MPI_Type_free(&part);
#endif
    MPI_Finalize();
    return 0;
}

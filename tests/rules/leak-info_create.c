/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* An info object is made for a communicator, and never freed. */
/* Twin: it is freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&info); /* @leak-info */
    MPI_Info_set(info, "mpi_assert_no_any_tag", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
#ifdef TWIN
    MPI_Info_free(&info);
#endif
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}

// SPDX-License-Identifier: BSD-3-Clause
// A static object is destroyed after MPI_Finalize, and its destructor frees a group.
#include <mpi.h>

static struct Cache {
    MPI_Group group = MPI_GROUP_NULL;
    ~Cache() { MPI_Group_free(&group); } // @call-after-finalize
} cache;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_group(MPI_COMM_WORLD, &cache.group); // @leak-group
    MPI_Finalize();
}

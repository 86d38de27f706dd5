/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made from an intercommunicator: a duplicate, parts, a part of the members, one group of both. */
#include <mpi.h>
#include <stdlib.h>

static void use(MPI_Comm comm, int members)
{
    int inter, rank, size, remote = 0, one = 1, sum = -1;

    if (comm == MPI_COMM_NULL) {
        if (members)
            exit(1);
        return;
    }
    MPI_Comm_test_inter(comm, &inter);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (inter)
        MPI_Comm_remote_size(comm, &remote);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    if (sum != (inter ? remote : size) || size + remote != members)
        exit(2);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int rank, side_rank;
    MPI_Comm side, inter, made;
    MPI_Group group, first;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, -rank, &side);
    MPI_Comm_rank(side, &side_rank);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, rank / 2 ? 1 : 3, 3, &inter);
    MPI_Comm_dup(inter, &made);
    use(made, 4);
    MPI_Comm_split(inter, side_rank, 0, &made);
    use(made, 2);
    MPI_Comm_group(inter, &group);
    MPI_Group_incl(group, 1, (int[]){0}, &first);
    MPI_Comm_create(inter, first, &made);
    use(made, side_rank == 0 ? 2 : 0);
    MPI_Intercomm_merge(inter, rank / 2, &made);
    use(made, 4);
    MPI_Group_free(&group);
    MPI_Group_free(&first);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&side);
    MPI_Finalize();
    return 0;
}

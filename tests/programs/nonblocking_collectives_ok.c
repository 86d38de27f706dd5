/* SPDX-License-Identifier: BSD-3-Clause */
/* Several nonblocking collectives at once; types, operations and arrays are gone before they complete. */
#include <mpi.h>
#include <stdlib.h>

enum { MAX = 8 };

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < 2 * *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void check(int good, int where)
{
    if (!good)
        exit(where);
}

static void start_vector(const int *from, int rank, int size, int *to, MPI_Request *r)
{
    int counts[MAX], displs[MAX];
    for (int i = 0; i < size; i++)
        counts[i] = 1, displs[i] = size - 1 - i;
    MPI_Igatherv(from, 1, MPI_INT, rank == 1 ? to : NULL, rank == 1 ? counts : NULL, rank == 1 ? displs : NULL, MPI_INT,
                 1, MPI_COMM_WORLD, r);
    for (int i = 0; i < size; i++)
        counts[i] = displs[i] = -1; /* isp must not need them any more; MPI has them by now */
}

int main(int argc, char **argv)
{
    int rank, size, pair[2], sum[2] = {-1, -1}, prefix = -1, word = -1, all[MAX], turned[MAX], gathered[MAX], part = -1;
    MPI_Request r[8];
    MPI_Datatype two;
    MPI_Op op;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Op_create(add, 1, &op);
    pair[0] = rank, pair[1] = 1;
    for (int i = 0; i < size; i++)
        all[i] = 10 * rank + i;
    if (rank == 0)
        word = 7;
    MPI_Iallreduce(pair, sum, 1, two, op, MPI_COMM_WORLD, &r[0]);
    MPI_Type_free(&two);
    MPI_Op_free(&op);
    MPI_Iscan(&rank, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r[1]);
    MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Ialltoall(all, 1, MPI_INT, turned, 1, MPI_INT, MPI_COMM_WORLD, &r[3]);
    start_vector(&rank, rank, size, gathered, &r[4]);
    MPI_Iscatter(rank == 0 ? all : NULL, 1, MPI_INT, &part, 1, MPI_INT, 0, MPI_COMM_WORLD, &r[5]);
    MPI_Ibarrier(MPI_COMM_WORLD, &r[6]);
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, &rank, 1, MPI_INT, MPI_COMM_SELF, &r[7]);
    MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
    check(sum[0] == size * (size - 1) / 2 && sum[1] == size, 1);
    check(prefix == rank * (rank + 1) / 2, 2);
    check(word == 7 && part == rank, 3);
    for (int i = 0; i < size; i++)
        check(turned[i] == 10 * i + rank && (rank != 1 || gathered[i] == size - 1 - i), 4);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers are used again as soon as each collective lets its rank go: what the others get must not change. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 8, N = 3 };

static int rank, size, in[N * MAX], out[2 * N * MAX];
static MPI_Datatype sparse; /* N numbers, each second place */

static void check(int place, int value, int where)
{
    if (out[place] != value)
        exit(where);
}

static void fill(int base)
{
    for (int i = 0; i < N * MAX; i++)
        in[i] = base + i;
    memset(out, 0, sizeof out);
}

/* Functions c + m x, one after the other: the result depends on the order. */
static void compose(void *a, void *b, int *n, MPI_Datatype *type)
{
    int *x = a, *y = b;
    for (int i = 0; i < *n; i++, x += 2, y += 2) {
        y[0] += y[1] * x[0];
        y[1] *= x[1];
    }
}

static void rooted(int root)
{
    int counts[MAX], displs[MAX];

    for (int i = 0; i < size; i++)
        counts[i] = 1 + i % N, displs[i] = N * (size - 1 - i);
    fill(100 * rank);
    MPI_Gather(in, N, MPI_INT, out, 1, sparse, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < size; i++)
        for (int k = 0; k < N; k++)
            check(2 * N * i + 2 * k, 100 * i + k, 1);
    fill(100 * rank);
    MPI_Gatherv(in, counts[rank], MPI_INT, out, counts, displs, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < size; i++)
        check(displs[i] + counts[i] - 1, 100 * i + counts[i] - 1, 2);
    fill(100 * rank);
    MPI_Scatterv(in, counts, displs, MPI_INT, out, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
    check(counts[rank] - 1, 100 * root + displs[rank] + counts[rank] - 1, 3);
    fill(100 * rank);
    MPI_Scatter(in, N, MPI_INT, out, 1, sparse, root, MPI_COMM_WORLD);
    check(2 * (N - 1), 100 * root + N * rank + N - 1, 4);
    fill(100 * rank);
    MPI_Reduce(in, out, N, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
    if (rank == root)
        check(1, 100 * (size - 1) + 1, 5);
    fill(100 * rank);
    MPI_Bcast(in, N * MAX, MPI_INT, root, MPI_COMM_WORLD);
    memcpy(out, in, sizeof in);
    check(N * MAX - 1, 100 * root + N * MAX - 1, 6);
}

static void prefixes(void)
{
    int value = 0, before = 0;
    MPI_Datatype pair;
    MPI_Op op;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Op_create(compose, 0, &op);
    for (int i = 0; i <= rank; i++) {
        before = value;
        value = 3 * value + i + 1;
    }
    fill(0);
    in[0] = rank + 1, in[1] = 3;
    MPI_Scan(in, out, 1, pair, op, MPI_COMM_WORLD);
    check(0, value, 7);
    in[0] = rank + 1, in[1] = 3;
    MPI_Exscan(in, out, 1, pair, op, MPI_COMM_WORLD);
    if (rank)
        check(0, before, 8);
    out[0] = rank + 1, out[1] = 3;
    MPI_Scan(MPI_IN_PLACE, out, 1, pair, op, MPI_COMM_WORLD);
    check(0, value, 9);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
}

static void nonblocking(void)
{
    MPI_Request r[2];

    fill(100 * rank);
    MPI_Ireduce(in, out, N, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD, &r[0]);
    MPI_Igather(&in[N], 1, MPI_INT, &out[N], 1, MPI_INT, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    if (rank == 1)
        check(0, 100 * size * (size - 1) / 2, 10);
    for (int i = 0; rank == 0 && i < size; i++)
        check(N + i, 100 * i + N, 11);
}

int main(int argc, char **argv)
{
    MPI_Datatype vector;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(N, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 2 * N * (MPI_Aint)sizeof(int), &sparse);
    MPI_Type_free(&vector);
    MPI_Type_commit(&sparse);
    for (int root = 0; root < size; root++)
        rooted(root);
    MPI_Type_free(&sparse);
    prefixes();
    nonblocking();
    MPI_Finalize();
    return 0;
}

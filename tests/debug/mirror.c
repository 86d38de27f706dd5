/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank does between two calls of MPI: loops, recursion, branches that leave early, calls that are
 * alike. Who steps back through it must come by the lines that were stepped forward, in reverse. */
#include <mpi.h>

static int depth(int n)
{
    int below;
    if (n == 0)
        return 1;
    below = depth(n - 1);
    return below + n;
}

static int first_above(const int *values, int n, int limit)
{
    for (int i = 0; i < n; i++) {
        if (values[i] < 0)
            continue;
        if (values[i] > limit)
            return i;
    }
    return -1;
}

static int work(int rank)
{
    int values[6], sum = 0, k = 0;
    for (int i = 0; i < 6; i++)
        values[i] = (i * 5 + rank) % 7 - 1;
    while (k < 4) {
        switch (k % 3) {
        case 0: sum += depth(k); break;
        case 1:
            sum -= values[k];
            /* fall through */
        default: sum++;
        }
        k++;
    }
    do
        sum += first_above(values, 6, k);
    while (k-- > 2);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, sum;
    double begun; /* another one each time */
    MPI_Init(&argc, &argv);
    begun = MPI_Wtime();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    sum = work(rank);
    sum += work(rank + 1);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum < 0 || begun < 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the tests of isp dap debug, with 3 ranks: a choice, and a deadlock where rank 2's message is taken
 * first; output of each rank; a structure, and a variable that changes. Rank 0 computes until the file of the
 * first argument exists, if there is one.
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

struct part {
    int index;
    double weight[3];
    struct part *next;
};

static int total;

static int spin(const char *file)
{
    volatile int turns = 0;
    turns++; /* before who reads this looks at it */
    printf("spins\n");
    fflush(stdout);
    while (access(file, F_OK) != 0)
        turns++;
    return turns > 0;
}

static void add(int value) { total += value; }

int main(int argc, char **argv)
{
    struct part first = {1, {0.5, 1.5, 2.5}, NULL}, second = {2, {0}, &first};
    int rank, size, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    second.index += rank;
    printf("begins\n");
    fflush(stdout);
    if (rank > 0) {
        value = 10 * rank;
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        add(value);
        if (argc > 1)
            spin(argv[1]);
        MPI_Recv(&value, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        add(value);
        fprintf(stderr, "total %d\n", total);
    }
    printf("ends");
    MPI_Finalize();
    return second.index < 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A library by the name of MPICH's, with as much of MPI as is needed to stand in it: a receive is a read of
 * standard input. It has debug information: a step must not show it all the same. */
#include "stand_in.h"

#include <unistd.h>

static int wait_for_bytes(int *value)
{
    int got = 0;
    while (got < (int)sizeof *value) {
        ssize_t n = read(0, (char *)value + got, sizeof *value - got);
        if (n <= 0)
            _exit(3);
        got += n;
    }
    return got;
}

int PMPI_Recv(int *value)
{
    int got = wait_for_bytes(value);
    return got == 0;
}
int MPI_Recv(int *value) __attribute__((weak, alias("PMPI_Recv")));

int MPI_Send(const int *value)
{
    static volatile int last;
    last = *value;
    return last != *value;
}

/* By its name it could be the program's. */
void QMPI_Hint(int *value) { *value += 0; }

int MPI_Reduce(int a, int b, combine *operation)
{
    int result = 0;
    operation(a, b, &result);
    result += 0;
    return result;
}

void mpi_recv_(int *value, int *error) { *error = PMPI_Recv(value); }

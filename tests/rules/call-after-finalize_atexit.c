/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of atexit asks for the size of MPI_COMM_SELF, when MPI is over. */
#include <mpi.h>
#include <stdlib.h>

static void last_words(void)
{
    int over, n = 0;
    MPI_Finalized(&over);
    MPI_Comm_size(MPI_COMM_SELF, &n); /* @call-after-finalize */
}

int main(int argc, char **argv)
{
    atexit(last_words);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A function of atexit asks for the size of MPI_COMM_SELF, when MPI is over. */
/* Twin: a function of atexit asks whether MPI is over, as it may. */
#include <mpi.h>
#include <stdlib.h>

static void last_words(void)
{
    int over, n = 0;
    MPI_Finalized(&over);
#ifdef TWIN
    if (!over)
        MPI_Comm_size(MPI_COMM_SELF, &n);
#else
    MPI_Comm_size(MPI_COMM_SELF, &n); /* @call-after-finalize */
#endif
}

int main(int argc, char **argv)
{
    atexit(last_words);
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}

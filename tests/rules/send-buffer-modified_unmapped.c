/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a small message is given back to the system while it is being sent: nobody can read it. */
/* Twin: it is given back when it has been sent. */
#include <stddef.h>
#include <sys/mman.h>

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, got[4];
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int *data = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (int i = 0; i < 4; i++)
            data[i] = i;
        MPI_Isend(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* @send-buffer-modified */
#ifdef TWIN
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        munmap(data, 4096);
#else
        munmap(data, 4096);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* @crash? */
#endif
    } else {
        MPI_Recv(got, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}

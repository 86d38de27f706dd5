/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages that nobody can read, in a mapping that can be read (Linux 6.13; glibc has one below each thread's stack
 * from 2.42 on): isp neither compares nor keeps them. */
#include <mpi.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, GUARD_INSTALL = 102 };

int main(int argc, char **argv)
{
    int rank, size, value;
    char *memory = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return 1;
    memory[0] = memory[4 * PAGE] = 1;
    madvise(memory + 2 * PAGE, PAGE, GUARD_INSTALL); /* refused by older kernels */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < size; i++) {
        if (rank == 0) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            memory[i] = (char)value;
        } else if (rank == i) {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}

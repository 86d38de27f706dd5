/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 makes a file, both map it, and rank 1 loads what rank 0 has stored before a barrier. isp sees no loads and
 * no stores, and says so: tests/end_to_end/assumptions.py. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096 };

int main(int argc, char **argv)
{
    int rank, fd = -1;
    char name[100];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.tmp", argv[0], (long)getuid());
    if (rank == 0) {
        fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || ftruncate(fd, SIZE) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        fd = open(name, O_RDONLY);
    int *memory = mmap(NULL, SIZE, rank == 0 ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        memory[0] = 7;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && memory[0] != 7)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 0)
        unlink(name);
    MPI_Finalize();
    return 0;
}

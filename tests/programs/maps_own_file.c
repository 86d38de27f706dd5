/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank maps a file of its own, and has a shared window that it shares with nobody: nothing is unseen. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SIZE = 4096 };

int main(int argc, char **argv)
{
    int rank, fd, *alone;
    char name[100];
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%ld.%d.tmp", argv[0], (long)getuid(), rank);
    fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || ftruncate(fd, SIZE) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    int *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    MPI_Win_allocate_shared(sizeof *alone, sizeof *alone, MPI_INFO_NULL, MPI_COMM_SELF, &alone, &window);
    if (memory == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memory[0] = *alone = rank;
    MPI_Win_free(&window);
    unlink(name);
    MPI_Finalize();
    return 0;
}

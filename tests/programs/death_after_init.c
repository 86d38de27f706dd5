/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 dies as soon as it has left MPI_Init, while UCX in rank 2 still looks for the shared memory of the
 * others. */
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In front of the C library's; by another name, since with large files the compiler makes open64 of
 * `open`. */
int slow_open(const char *path, int flags, ...) __asm__("open");
int slow_open(const char *path, int flags, ...)
{
    const char *rank = getenv("PMI_RANK");
    va_list more;
    va_start(more, flags);
    int mode = flags & O_CREAT ? va_arg(more, int) : 0;
    va_end(more);
    if (rank && strcmp(rank, "2") == 0 && strncmp(path, "/proc/", 6) == 0 && strstr(path, "/fd/"))
        usleep(300000);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        _exit(3);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* What rank 0 does after its first choice, by argument: "reads" a file, "shares" memory, or "closes" a file
 * that it has opened before, and reads meanwhile. See checkpoints.py. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static volatile int *count;
static FILE *before;
static bool is_wrong;

static void open_before(void)
{
    before = fopen("/proc/self/exe", "r");
    is_wrong = !before || setvbuf(before, NULL, _IONBF, 0) != 0;
}

static void go_on(int i, int last)
{
    is_wrong |= fgetc(before) != "\177ELF"[i - 1];
    if (i == last)
        fclose(before);
}

static void act(const char *what)
{
    if (strcmp(what, "shares") == 0)
        count = mmap(NULL, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FILE *f = strcmp(what, "reads") == 0 ? fopen("/proc/version", "r") : NULL;
    if (f)
        fclose(f);
}

int main(int argc, char **argv)
{
    int rank, n, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (rank == 0 && strcmp(argv[1], "closes") == 0)
        open_before();
    for (int i = 1; rank == 0 && i < n; i++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i == 1)
            act(argv[1]);
        if (count)
            ++*count;
        if (before)
            go_on(i, n - 1);
    }
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    is_wrong |= count && *count != n - 1; /* another interleaving has counted, too */
    if (is_wrong)
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}

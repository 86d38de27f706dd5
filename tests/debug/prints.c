/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that print, whole lines and pieces, to both streams, with and without a buffer. See printing.py. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void say(const char *text)
{
    if (write(STDOUT_FILENO, text, strlen(text)) < 0)
        perror("write");
}

int main(int argc, char **argv)
{
    int rank, n, value;
    say("starts\n");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int turn = 0; turn < 2; turn++) {
        char text[32];
        snprintf(text, sizeof text, "turn %d", turn);
        say(text); /* its end comes after the next event */
        fprintf(stderr, "mistake %d\n", turn);
        for (int i = 1; rank == 0 && i < n; i++) {
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            snprintf(text, sizeof text, " %d", value);
            say(text);
        }
        if (rank > 0)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        say(" done\n");
    }
    printf("held back\n"); /* in the buffer of the C library */
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Written by the C library: the line that has called it. And a text, of which each byte counts. */
/* @ask 2: focus 1; why name; why; why text */
/* @says written by memcpy at copied.c:19 main */
/* @says written by strcpy at copied.c:17 main */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    char text[16] = "", kept[16] = "", name[16] = "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        char *volatile wrong = (char *)"wrong name";
        strcpy(text, wrong); /* @wrong 0 */
        volatile size_t n = sizeof kept;
        memcpy(kept, text, n);
        MPI_Send(kept, 16, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(name, 16, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return name[0] == 'x';
}

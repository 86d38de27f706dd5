/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 asks a server (a socket's path, the first argument) how often it was asked before. By itself there is
 * none, and nothing to be found: ../end_to_end/server.py has one. */
#include <mpi.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void ask(const char *path)
{
    char answer;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 && read(fd, &answer, 1) == 1 && answer == 7)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(fd);
}

int main(int argc, char **argv)
{
    int rank, first, second;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        ask(argc > 1 ? argv[1] : "/nowhere");
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

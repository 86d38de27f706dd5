/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 3 */
/* What is in a socket pair, and in a message queue, is taken out once in each run (POSIX, recv and msgrcv).
 * Only that rank 0 got the message of rank 2 first is wrong. */
/* interleavings 2, twin 2 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>

int main(int argc, char **argv)
{
    int rank, first, second, fds[2], queue;
    struct {
        long type;
        char text[8];
    } sent = {1, "queue"}, got = {0};
    char byte = 'x';
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0 && send(fds[0], &byte, 1, 0) == 1);
        queue = msgget(IPC_PRIVATE, 0600);
        assert(queue >= 0 && msgsnd(queue, &sent, sizeof sent.text, 0) == 0);
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(recv(fds[1], &byte, 1, MSG_DONTWAIT) == 1);
        assert(msgrcv(queue, &got, sizeof got.text, 0, IPC_NOWAIT) == sizeof got.text);
        assert(msgctl(queue, IPC_RMID, NULL) == 0);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#ifndef TWIN
        assert(first != 2); /* @assertion */
#endif
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

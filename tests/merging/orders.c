/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs of which most orders come to the same.
 *
 *   orders sum ROUNDS      rank 0 adds up messages of the others, as they come, ROUNDS of each
 *   orders last            ... and keeps who was last: only the end is the same
 *   orders short           ... into a buffer that the messages of the odd ranks do not fill; what is left of
 *                          the message before is looked at
 *   orders rest            the message of rank 1 comes last, and does not fill the buffer: what is left there
 *                          of the others is looked at
 *   orders farm TASKS      rank 0 hands out tasks, each to who has done one
 *   orders late            the last message must be that of rank 1: a deadlock in most orders
 *   orders polls N         ranks 0 and 1 exchange N messages, and test for each
 *   orders gives-up N      rank 0 looks for a message N times, and aborts if it has not come by then
 *   orders standard N      ... in standard mode, and then both send before they receive: a deadlock unless a
 *                          message is buffered
 *   orders mixed           sum; then the message of rank 1 comes before that of rank 2 only if MPI buffers
 *                          another one, and ranks 0 and 3 send to each other before they receive: a deadlock
 *                          if it does not buffer these (from 4 ranks on)
 *   orders ready           sum, and a ready send to each at the end, whose receive came before its message
 *   orders unready         7 ranks: whether the receive of a ready send is certain depends on a first choice,
 *                          of which no rank keeps anything, and shows after a second one
 *   orders nbx             each sends to the next one, which does not know how many will come: all look for
 *                          messages until a barrier is over that each joins when its own was taken
 *                          (nonblocking consensus: Hoefler, Siebert and Lumsdaine, PPoPP 2010)
 *   orders buffered-nbx    ... and then ranks 0 and 1 both send before they receive
 *   orders leave           sum, by ranks whose states cannot be told (their folder is another one), and whose
 *                          processes take a while to leave
 *   orders different       sum, but the messages are kept in the order in which they come
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static int receive(int *message)
{
    MPI_Status status;
    MPI_Recv(message, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

static void send(void) { MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); }

static void sum(int rounds)
{
    int message, all = 0;
    for (int i = 0; rank == 0 && i < (size - 1) * rounds; i++) {
        receive(&message);
        all += message;
    }
    for (int i = 0; rank > 0 && i < rounds; i++)
        send();
    if (rank == 0 && all != rounds * size * (size - 1) / 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static bool naps;

__attribute__((destructor)) static void nap(void)
{
    if (naps)
        usleep(50000);
}

static void leave(void)
{
    if (chdir("/") != 0)
        MPI_Abort(MPI_COMM_WORLD, 4);
    sum(1);
    naps = true;
}

static void last(void)
{
    int message, who = 0;
    for (int i = 1; rank == 0 && i < size; i++)
        who = receive(&message);
    if (rank > 0)
        send();
    MPI_Bcast(&who, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0 && who == 1)
        fprintf(stderr, "rank 1 was last\n");
}

static void ready(void)
{
    MPI_Request request;
    int answer = 7;
    if (rank > 0)
        MPI_Irecv(&answer, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    sum(1);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Rsend(&answer, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
    if (rank > 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void tell(int who) { MPI_Send(&rank, 0, MPI_INT, who, 2, MPI_COMM_WORLD); }

static void hear(int who) { MPI_Recv(&rank, 0, MPI_INT, who, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

/* Rank 3 tells rank 1 that it has posted its receive, so whoever takes the message of rank 1 knows of it.
 * Rank 4, who sends, is told by rank 0 between two messages, of which one is that of rank 1. */
static void unready(void)
{
    MPI_Request request;
    int message;
    switch (rank) {
    case 0:
        receive(&message);
        tell(4);
        receive(&message);
        message = 0;
        break;
    case 1:
        hear(3);
        send();
        break;
    case 2:
        send();
        hear(4);
        tell(5);
        break;
    case 3:
        MPI_Irecv(&message, 0, MPI_INT, 4, 3, MPI_COMM_WORLD, &request);
        tell(1);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 4:
        hear(0);
        tell(2);
        tell(6);
        hear(5);
        MPI_Rsend(&message, 0, MPI_INT, 3, 3, MPI_COMM_WORLD);
        break;
    case 5:
        hear(MPI_ANY_SOURCE);
        hear(MPI_ANY_SOURCE);
        tell(4);
        break;
    default: hear(4); tell(5);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void different(void)
{
    int *all = calloc((size_t)size, sizeof *all), message, end = 0;
    for (int i = 1; rank == 0 && i < size; i++) {
        receive(&message);
        all[i] = message;
    }
    if (rank > 0)
        send();
    for (int i = 0; i < size; i++)
        end += all[i] * i;
    free(all);
    if (end < 0)
        printf("%d\n", end);
}

static void be_short(void)
{
    int message[2] = {0, 0}, left = 0;
    for (int i = 1; rank == 0 && i < size; i++) {
        MPI_Recv(message, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        left = i == size - 1 ? message[1] : left; /* the last one's, or what the one before has left */
        message[0] = 0;
    }
    message[0] = message[1] = rank;
    if (rank > 0)
        MPI_Send(message, rank % 2 ? 1 : 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0 && left == 2)
        MPI_Abort(MPI_COMM_WORLD, 4);
}

/* Rank 0 has as little to do with the choices of rank 1 as its state has with what is in its buffer. */
static void rest(void)
{
    int message[2] = {rank, rank};
    for (int i = 2; i < size && rank == 0; i++)
        MPI_Recv(message, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 2; i < size && rank == 1; i++)
        MPI_Recv(message, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        message[0] = 0;
        MPI_Recv(message, 2, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (message[1] == 2)
            MPI_Abort(MPI_COMM_WORLD, 6);
    } else if (rank == 1) {
        message[0] = 0;
        MPI_Ssend(message, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Ssend(message, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Ssend(message, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
}

static void farm(int tasks)
{
    int task = 0, done = 0, sent = 0, all = 0;
    for (int worker = 1; rank == 0 && worker < size; worker++) {
        task = sent < tasks ? sent++ : -1;
        MPI_Send(&task, 1, MPI_INT, worker, 1, MPI_COMM_WORLD);
    }
    while (rank == 0 && done < tasks) {
        int worker = receive(&task);
        all += task;
        done++;
        task = sent < tasks ? sent++ : -1;
        MPI_Send(&task, 1, MPI_INT, worker, 1, MPI_COMM_WORLD);
    }
    while (rank > 0) {
        MPI_Recv(&task, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task < 0)
            break;
        MPI_Ssend(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0 && all != tasks * (tasks - 1) / 2)
        MPI_Abort(MPI_COMM_WORLD, 5);
}

static void late(void)
{
    int message;
    for (int i = 1; rank == 0 && i < size - 1; i++)
        receive(&message);
    if (rank == 0)
        MPI_Recv(&message, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        send();
}

static void exchange(int other, bool first)
{
    int message = 0;
    if (first)
        MPI_Send(&message, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
    MPI_Recv(&message, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!first)
        MPI_Send(&message, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
}

static void mixed(void)
{
    int message = 0;
    bool first = false; /* rank 1 was */
    sum(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        first = receive(&message) == 1;
        receive(&message);
    }
    message = 0;
    if (rank == 1)
        MPI_Send(&message, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
    if (rank == 1 || rank == 2)
        send();
    if (rank == 2)
        MPI_Recv(&message, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0 || rank == 3)
        exchange(3 - rank, rank == 3 || first);
}

static void polls(int n, bool standard)
{
    for (int i = 0, message = 0, is = 0; i < n && rank < 2; i++, is = 0) {
        MPI_Request request;
        if (rank == 0)
            MPI_Irecv(&message, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
        else if (standard)
            MPI_Isend(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
        else
            MPI_Issend(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
        while (!is)
            MPI_Test(&request, &is, MPI_STATUS_IGNORE);
    }
    if (standard && rank < 2)
        exchange(1 - rank, true);
}

static void give_up(int n)
{
    int is = 0, message;
    if (rank == 1)
        send();
    if (rank != 0)
        return;
    for (int tries = 0; !is && tries < n; tries++)
        MPI_Iprobe(1, 0, MPI_COMM_WORLD, &is, MPI_STATUS_IGNORE);
    if (!is)
        MPI_Abort(MPI_COMM_WORLD, 3);
    receive(&message);
}

static void nbx(bool buffered)
{
    int message, got = 0, is = 0, joined = 0, over = 0;
    MPI_Request sent, barrier;
    MPI_Issend(&rank, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &sent);
    while (!over) {
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is, MPI_STATUS_IGNORE);
        if (is) {
            receive(&message);
            got += 1 + message;
        }
        if (joined) {
            MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Test(&sent, &joined, MPI_STATUS_IGNORE);
        if (joined)
            MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    }
    if (got != 1 + (rank + size - 1) % size)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (buffered && rank < 2)
        exchange(1 - rank, true);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "sum";
    int number = argc > 2 ? atoi(argv[2]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(what, "sum") == 0)
        sum(number);
    else if (strcmp(what, "leave") == 0)
        leave();
    else if (strcmp(what, "last") == 0)
        last();
    else if (strcmp(what, "ready") == 0)
        ready();
    else if (strcmp(what, "unready") == 0)
        unready();
    else if (strcmp(what, "different") == 0)
        different();
    else if (strcmp(what, "short") == 0)
        be_short();
    else if (strcmp(what, "rest") == 0)
        rest();
    else if (strcmp(what, "farm") == 0)
        farm(number);
    else if (strcmp(what, "late") == 0)
        late();
    else if (strcmp(what, "polls") == 0)
        polls(number, false);
    else if (strcmp(what, "gives-up") == 0)
        give_up(number);
    else if (strcmp(what, "standard") == 0)
        polls(number, true);
    else if (strcmp(what, "mixed") == 0)
        mixed();
    else if (strcmp(what, "nbx") == 0)
        nbx(false);
    else if (strcmp(what, "buffered-nbx") == 0)
        nbx(true);
    MPI_Finalize();
    return 0;
}

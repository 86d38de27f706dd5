/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs of which most orders come to the same.
 *
 *   orders sum ROUNDS      rank 0 adds up messages of the others, as they come, ROUNDS of each
 *   orders last            ... and keeps who was last: only the end is the same
 *   orders short           ... into a buffer that the messages of the odd ranks do not fill; what is left of
 *                          the message before is looked at
 *   orders farm TASKS      rank 0 hands out tasks, each to who has done one
 *   orders late            the last message must be that of rank 1: a deadlock in most orders
 *   orders polls N         ranks 0 and 1 exchange N messages, and test for each
 *   orders different       sum, but the messages are kept in the order in which they come
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void polls(int n)
{
    for (int i = 0, message = 0, is = 0; i < n && rank < 2; i++, is = 0) {
        MPI_Request request;
        if (rank == 0)
            MPI_Irecv(&message, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
        else
            MPI_Issend(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
        while (!is)
            MPI_Test(&request, &is, MPI_STATUS_IGNORE);
    }
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
    else if (strcmp(what, "last") == 0)
        last();
    else if (strcmp(what, "different") == 0)
        different();
    else if (strcmp(what, "short") == 0)
        be_short();
    else if (strcmp(what, "farm") == 0)
        farm(number);
    else if (strcmp(what, "late") == 0)
        late();
    else if (strcmp(what, "polls") == 0)
        polls(number);
    MPI_Finalize();
    return 0;
}

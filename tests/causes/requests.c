/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests, threads, and what messages carry. */
#include "causes.h"

#include <pthread.h>

PROGRAM(never_started, 2)
{
    int x = 0, y = 0;
    MPI_Request both[2];
    MPI_Recv_init(&y, 1, MPI_INT, 1 - rank, 0, WORLD, &both[0]);
    MPI_Send_init(&x, 1, MPI_INT, 1 - rank, 0, WORLD, &both[1]); /* CAUSE */
    MPI_Start(&both[0]);
    if (repaired)
        MPI_Start(&both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    MPI_Request_free(&both[0]);
    MPI_Request_free(&both[1]);
}

PROGRAM(too_few_started, 2)
{
    int x[3] = {0};
    MPI_Request all[3];
    for (int i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Ssend_init(&x[i], 1, MPI_INT, 1, i, WORLD, &all[i]); /* CAUSE */
        else
            MPI_Recv_init(&x[i], 1, MPI_INT, 0, i, WORLD, &all[i]);
    MPI_Startall(rank == 0 ? BUG(2, 3) : 3, all);
    MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&all[i]);
}

PROGRAM(persistent_tag, 2)
{
    int x = 0;
    MPI_Request request;
    if (rank == 0)
        MPI_Ssend_init(&x, 1, MPI_INT, 1, BUG(6, 5), WORLD, &request); /* CAUSE */
    else
        MPI_Recv_init(&x, 1, MPI_INT, 0, 5, WORLD, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, IGNORE);
    }
    MPI_Request_free(&request);
}

PROGRAM(isend_not_waited, 2)
{
    int x = 0;
    MPI_Request request;
    if (rank == 0) {
        MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request); /* CAUSE */
        if (repaired)
            MPI_Wait(&request, IGNORE);
    } else
        MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
}

PROGRAM(waitall_one_less, 3)
{
    int x[2];
    MPI_Request all[2];
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, i + 1, 0, WORLD, &all[i]); /* CAUSE */
        MPI_Waitall(BUG(1, 2), all, MPI_STATUSES_IGNORE);
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
}

PROGRAM(request_overwritten, 3)
{
    int x[2];
    MPI_Request all[2];
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&x[i], 1, MPI_INT, i + 1, 0, WORLD, &all[BUG(0, i)]); /* CAUSE */
        MPI_Waitall(BUG(1, 2), all, MPI_STATUSES_IGNORE);
    } else
        MPI_Send(&rank, 1, MPI_INT, 0, 0, WORLD);
}

PROGRAM(wait_for_unsent, 3)
{
    int in[3];
    MPI_Request all[3];
    if (rank == 0) {
        for (int i = 0; i < size - BUG(0, 1); i++)
            MPI_Irecv(&in[i], 1, MPI_INT, (i + 1) % size, 0, WORLD, &all[i]); /* CAUSE */
        MPI_Waitall(size - BUG(0, 1), all, MPI_STATUSES_IGNORE);
    } else
        MPI_Ssend(&rank, 1, MPI_INT, 0, 0, WORLD);
}

PROGRAM(too_long, 2)
{
    int x[8] = {0};
    if (rank == 0)
        MPI_Send(x, 8, MPI_INT, 1, 0, WORLD);
    else
        MPI_Recv(x, BUG(4, 8), MPI_INT, 0, 0, WORLD, IGNORE); /* CAUSE */
}

PROGRAM(float_for_double, 2)
{
    double x[4] = {0};
    if (rank == 0)
        MPI_Send(x, 4, MPI_DOUBLE, 1, 0, WORLD);
    else
        MPI_Recv(x, 8, BUG(MPI_FLOAT, MPI_DOUBLE), 0, 0, WORLD, IGNORE); /* CAUSE */
}

static void *helper(void *tag)
{
    int x;
    MPI_Recv(&x, 1, MPI_INT, 0, *(const int *)tag, WORLD, IGNORE); /* CAUSE of thread_tag */
    return NULL;
}

THREADED(thread_tag, 2)
{
    int x = 0, tag = BUG(2, 1);
    pthread_t thread;
    if (rank == 0)
        MPI_Ssend(&x, 1, MPI_INT, 1, 1, WORLD);
    else {
        pthread_create(&thread, NULL, helper, &tag);
        pthread_join(thread, NULL);
    }
}

static void *receives(void *nothing)
{
    int x;
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, BUG(MPI_ANY_TAG, 7), WORLD, IGNORE); /* CAUSE of thread_steals */
    return nothing;
}

THREADED(thread_steals, 2)
{
    int x = 0;
    pthread_t thread;
    if (rank == 0) {
        MPI_Ssend(&x, 1, MPI_INT, 1, 3, WORLD);
        MPI_Ssend(&x, 1, MPI_INT, 1, 7, WORLD);
    } else {
        pthread_create(&thread, NULL, receives, NULL);
        MPI_Recv(&x, 1, MPI_INT, 0, 3, WORLD, IGNORE);
        pthread_join(thread, NULL);
    }
}

PROGRAM(window_not_posted, 2)
{
    int *memory, x = 1;
    MPI_Win window;
    MPI_Group world, other;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &memory, &window);
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 1, &(int){1 - rank}, &other);
    if (rank == 0) {
        MPI_Win_start(other, 0, window); /* CAUSE */
        MPI_Put(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    } else if (repaired) {
        MPI_Win_post(other, 0, window);
        MPI_Win_wait(window);
    }
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    MPI_Win_free(&window);
}

PROGRAM(lock_kept, 2)
{
    int *memory;
    MPI_Win window;
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, WORLD, &memory, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window); /* CAUSE */
    if (rank == 0 && !repaired) {
        MPI_Barrier(WORLD);
        MPI_Win_unlock(0, window);
    } else {
        MPI_Win_unlock(0, window);
        MPI_Barrier(WORLD);
    }
    MPI_Win_free(&window);
}

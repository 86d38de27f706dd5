/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads wait for the same request, at MPI_THREAD_MULTIPLE: only one of them can complete it. */
/* Twin: two threads wait, each for a request of its own, at MPI_THREAD_MULTIPLE. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

#ifdef TWIN
static MPI_Request request, other;
#else
static MPI_Request request;
#endif

static void *wait_too(void *unused)
{
#ifdef TWIN
    MPI_Wait(&other, MPI_STATUS_IGNORE);
#else
    MPI_Request same = request;
    MPI_Wait(&same, MPI_STATUS_IGNORE); /* @thread-level? */
#endif
    return unused;
}

int main(int argc, char **argv)
{
#ifdef TWIN
    int rank, level, n = 0, m = 0;
#else
    int rank, level, n = 0;
#endif
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
#ifdef TWIN
        MPI_Irecv(&m, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &other);
#endif
        pthread_create(&thread, NULL, wait_too, NULL);
        usleep(200000); /* that one is there first: so which of them is told does not depend on time */
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* @thread-level? */
        pthread_join(thread, NULL);
    } else {
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
#ifdef TWIN
        MPI_Send(&m, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
#endif
    }
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread of MPI's own is slow: UCX has one, which is woken by the first message that comes, and holds a lock of UCX's meanwhile. The ranks stay at their
 * checkpoints just then, and the children that go on need the lock. */
#include <dlfcn.h>
#include <mpi.h>
#include <time.h>
#include <unistd.h>

typedef int add_function(void *, void *, void *, unsigned);

/* In front of UCX's, which its thread calls with the lock held. */
int ucs_callbackq_add_safe(void *queue, void *callback, void *argument, unsigned flags)
{
    int id = ((add_function *)dlsym(RTLD_NEXT, "ucs_callbackq_add_safe"))(queue, callback, argument, flags);
    if (gettid() != getpid())
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    return id;
}

int main(int argc, char **argv)
{
    int rank, value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (rank == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}

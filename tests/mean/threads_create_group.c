/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads may call MPI_Comm_create_group at the same time if the tags differ (MPI-4.0, 7.4.2). */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static MPI_Group group;

static void *make(void *tag)
{
    MPI_Comm comm;
#ifdef TWIN
    MPI_Comm_create_group(MPI_COMM_WORLD, group, *(int *)tag, &comm);
#else
    MPI_Comm_create_group(MPI_COMM_WORLD, group, *(int *)tag / 2, &comm); /* @thread-level */
#endif
    MPI_Comm_free(&comm);
    return NULL;
}

int main(int argc, char **argv)
{
    int level, tags[] = {0, 1};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    pthread_create(&thread, NULL, make, &tags[1]);
    make(&tags[0]);
    pthread_join(thread, NULL);
    MPI_Group_free(&group);
    MPI_Finalize();
    return 0;
}
/* interleavings twin 1 */

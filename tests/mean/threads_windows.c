/* SPDX-License-Identifier: BSD-3-Clause */
/* isp -n 2 */
/* incomplete: with several threads are neither compared nor put in every order: MPI_Fetch_and_op at */
/* Each rank takes a ticket while another thread of it runs: either rank may be the first (MPI-4.0, 12.7.1).
 * Accesses of ranks with several threads come in no order that isp knows, and it says so. In the twin the
 * thread is over before. */
#include <assert.h>
#include <mpi.h>
#include <pthread.h>

static pthread_barrier_t end;

static void *wait_for_end(void *unused)
{
    pthread_barrier_wait(&end);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, level, one = 1, ticket = 0, *memory;
    pthread_t thread;
    MPI_Win window;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_barrier_init(&end, NULL, 2);
    pthread_create(&thread, NULL, wait_for_end, NULL);
#ifdef TWIN
    pthread_barrier_wait(&end);
    pthread_join(thread, NULL);
#endif
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_unlock_all(window);
    assert(ticket == 0 || ticket == 1);
#ifndef TWIN
    pthread_barrier_wait(&end);
    pthread_join(thread, NULL);
#endif
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}

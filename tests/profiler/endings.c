/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways for a rank to end, or to be refused, by name. Rank 0 does it; rank 1 waits in a barrier or does not
 * care. */
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static bool is(char **argv, const char *what) { return strcmp(argv[1], what) == 0; }

static void *barrier(void *unused)
{
    MPI_Barrier(MPI_COMM_SELF);
    return unused;
}

static void leak(void)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Request request;
    for (int i = 0; i < 3; i++)
        MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Send_init(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
}

static int free_comm(MPI_Comm comm, int key, void *attribute, void *state)
{
    return MPI_Comm_free(attribute);
}

static void free_at_finalize(void)
{
    static MPI_Comm comm;
    int key;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_comm, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &comm);
    MPI_Comm_free_keyval(&key);
}

static void children(char **argv)
{
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        if (child == 0 && i == 0)
            exit(3);
        if (child == 0)
            execl(argv[0], argv[0], "child", NULL);
        int status;
        waitpid(child, &status, 0);
        CHECK_EQUAL(WIFEXITED(status) || WTERMSIG(status) == SIGSEGV, 1);
    }
}

int main(int argc, char **argv)
{
    int rank, n;
    volatile int zero = 0, *volatile nowhere = NULL;
    MPI_Datatype type;
    MPI_Comm comm;
    pthread_t thread;
    if (is(argv, "child"))
        return *nowhere;
    if (is(argv, "crash-before-init") && strcmp(getenv("PMI_RANK"), "0") == 0)
        zero = *nowhere;
    if (is(argv, "never-init"))
        return 4;
    if (is(argv, "call-before-init"))
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Init_thread(&argc, &argv,
                    is(argv, "threads")         ? MPI_THREAD_FUNNELED
                    : is(argv, "error-in-lock") ? MPI_THREAD_MULTIPLE
                                                : MPI_THREAD_SINGLE,
                    &n);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        if (is(argv, "crash"))
            *nowhere = 1;
        if (is(argv, "assertion"))
            assert(zero == 1);
        if (is(argv, "abort"))
            MPI_Abort(MPI_COMM_WORLD, 5);
        if (is(argv, "exit"))
            exit(6);
        if (is(argv, "error") || is(argv, "error-in-lock"))
            MPI_Send(&n, 1, MPI_INT, 55, 0, MPI_COMM_WORLD);
        if (is(argv, "local-error"))
            MPI_Comm_size(MPI_COMM_NULL, &n);
        if (is(argv, "uncommitted")) {
            MPI_Type_contiguous(2, MPI_INT, &type);
            MPI_Send(&n, 1, type, 1, 0, MPI_COMM_WORLD);
        }
        if (is(argv, "freed-comm")) {
            MPI_Comm_dup(MPI_COMM_SELF, &comm);
            MPI_Comm copy = comm;
            MPI_Comm_free(&comm);
            MPI_Barrier(copy);
        }
        if (is(argv, "bsend-without-buffer"))
            MPI_Bsend(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (is(argv, "bsend-full")) {
            static char buffer[sizeof(int) + MPI_BSEND_OVERHEAD - 1];
            MPI_Buffer_attach(buffer, sizeof buffer);
            for (int i = 0; i < 2; i++)
                MPI_Bsend(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        }
        if (is(argv, "unsupported"))
            MPI_Comm_join(0, &comm);
        if (is(argv, "crash-in-mpi"))
            MPI_Sendrecv((void *)8, 1, MPI_INT, 0, 0, &n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
        if (is(argv, "threads")) {
            pthread_create(&thread, NULL, barrier, NULL);
            MPI_Barrier(MPI_COMM_WORLD); /* waits for rank 1, which does not come before */
            pthread_join(thread, NULL);
        }
        if (is(argv, "children"))
            children(argv);
    }
    if (is(argv, "threads") && rank == 1)
        poll(NULL, 0, 1000); /* else this is a deadlock, before the thread is there */
    if (is(argv, "threads") && rank == 1)
        MPI_Recv(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is(argv, "deadlock"))
        MPI_Recv(&n, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is(argv, "leak"))
        leak();
    if (is(argv, "free-at-finalize"))
        free_at_finalize();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (is(argv, "call-after-finalize"))
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs that remember what does not matter. Rank 0 receives a message of each other rank, as they come,
 * and keeps of it what the first argument names; with `mark` behind it isp_ignore says that this does not
 * matter. Other words mark what ends before other data is in its place, which does matter: an abort depends
 * on it.
 */
#include <isp.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct log {
    int n, last[3];
};

static int rank, size, marks;
static int tries;              /* @tries */
static MPI_Status statuses[4]; /* @statuses */
static double times[4];        /* @times */
static struct log *list;       /* @list */

static void mark(void *p, size_t bytes)
{
    if (marks)
        isp_ignore(p, bytes);
}

/* Two ranks exchange messages, and test for each; how often they have tested is counted. */
static void poll(int n)
{
    mark(&tries, sizeof tries);
    for (int i = 0, message = 0, is = 0; i < n && rank < 2; i++, is = 0) {
        MPI_Request request;
        if (rank == 0)
            MPI_Irecv(&message, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
        else
            MPI_Issend(&i, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
        while (!is) {
            MPI_Test(&request, &is, MPI_STATUS_IGNORE);
            tries++;
        }
    }
}

static int receive(MPI_Status *s)
{
    int message = 0;
    MPI_Recv(&message, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, s);
    return message;
}

static void keep_status(void)
{
    mark(statuses, sizeof statuses);
    for (int i = 1; i < size; i++)
        receive(&statuses[i % 4]);
}

static void keep_time(void)
{
    mark(times, sizeof times);
    for (int i = 1; i < size; i++) {
        receive(MPI_STATUS_IGNORE);
        times[i % 4] = MPI_Wtime();
    }
}

static void keep_heap(void)
{
    list = calloc(1, sizeof *list);
    mark(list->last, sizeof list->last);
    for (int i = 1; i < size; i++)
        list->last[i % 3] = receive(MPI_STATUS_IGNORE);
    free(list);
}

static void keep_local(void)
{
    volatile int last = 0; /* @last */
    mark((void *)&last, sizeof last);
    for (int i = 1; i < size; i++)
        last = receive(MPI_STATUS_IGNORE);
}

/* Each other rank sends two messages. */
static void twice(void)
{
    for (int i = 0; rank == 0 && i < 2 * (size - 1); i++)
        receive(MPI_STATUS_IGNORE);
    for (int sent = 0; rank > 0 && sent < 2; sent++)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

/* A frame that lies where MPI's were, and has written one byte of it. */
static __attribute__((noinline)) void receive_with_holes(void)
{
    volatile char holes[8000];
    holes[3] = 1;
    receive(MPI_STATUS_IGNORE);
    (void)holes;
}

static void keep_holes(void)
{
    double one = 1, sum;
    for (int i = 1; i < size; i++) {
        receive_with_holes();
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    }
}

/* The mark of a frame that is gone must not hold for what comes in its place: that decides. It lies in the
 * middle, so that it is there whatever else is in the frames. */
enum { WORDS = 128, DECIDES = 64 };

static __attribute__((noinline)) void marked_frame(void)
{
    volatile int inside[WORDS] = {0};
    isp_ignore((void *)inside, sizeof inside);
    inside[DECIDES] = 1;
}

static __attribute__((noinline)) int other_frame(void)
{
    volatile int inside[WORDS] = {0};
    inside[DECIDES] = receive(MPI_STATUS_IGNORE);
    for (int i = 2; i < size; i++)
        receive(MPI_STATUS_IGNORE);
    return inside[DECIDES];
}

static void frame(void)
{
    marked_frame();
    if (other_frame() == 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Nor one that was made when it was gone, or of one further out than isp looks. */
static __attribute__((noinline)) void *frame_that_goes(void)
{
    volatile int inside[WORDS] = {0};
    void *address = (void *)inside;
    __asm__("" : "+r"(address)); /* the compiler need not know */
    return address;
}

static void dangling(void)
{
    void *volatile gone = frame_that_goes();
    isp_ignore(gone, WORDS * sizeof(int));
    if (other_frame() == 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static __attribute__((noinline)) int deep(int depth, volatile int *outer)
{
    if (depth == 0)
        isp_ignore((void *)outer, WORDS * sizeof *outer);
    return depth && deep(depth - 1, outer) + 1;
}

static __attribute__((noinline)) void far_out(void)
{
    volatile int inside[WORDS] = {0};
    inside[1] = deep(100, inside);
}

static void far(void)
{
    far_out();
    if (other_frame() == 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Nor that of a block that was freed, before or after it was marked. */
static void block(int late)
{
    int *gone = calloc(1, 400), *fresh;
    if (!late)
        isp_ignore(gone, 400);
    int *volatile dangling = gone;
    free(gone);
    if (late)
        isp_ignore(dangling, 400);
    fresh = calloc(1, 400);
    fresh[50] = receive(MPI_STATUS_IGNORE);
    for (int i = 2; i < size; i++)
        receive(MPI_STATUS_IGNORE);
    if (fresh[50] == 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
    free(fresh);
}

static void mapping(void)
{
    int *gone = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *fresh;
    isp_ignore(gone, 8192);
    munmap(gone, 8192);
    isp_ignore(gone, 8192);
    fresh = mmap(gone, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    fresh[50] = receive(MPI_STATUS_IGNORE);
    for (int i = 2; i < size; i++)
        receive(MPI_STATUS_IGNORE);
    if (fresh[50] == 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void misuse(void)
{
    isp_ignore(NULL, 4);
    isp_ignore(&tries, 0);
    isp_ignore((void *)16, 100);
    isp_ignore(&tries, (size_t)-1);
    isp_unignore(&tries, 4);
    isp_unignore(NULL, 0);
    for (int i = 0; i < 5000; i++)
        isp_ignore((char *)&times + i % 7, 2);
    isp_unignore(times, sizeof times);
    isp_ignore(&tries, sizeof tries);
    isp_unignore(&tries, sizeof tries);
    tries = receive(MPI_STATUS_IGNORE);
    for (int i = 2; i < size; i++)
        receive(MPI_STATUS_IGNORE);
    if (tries == 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "status";
    marks = argc > 2 && strcmp(argv[2], "mark") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(what, "poll") == 0)
        poll(5);
    else if (strcmp(what, "twice") == 0)
        twice();
    else if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    else if (strcmp(what, "time") == 0)
        keep_time();
    else if (strcmp(what, "heap") == 0)
        keep_heap();
    else if (strcmp(what, "local") == 0)
        keep_local();
    else if (strcmp(what, "holes") == 0)
        keep_holes();
    else if (strcmp(what, "frame") == 0)
        frame();
    else if (strcmp(what, "dangling") == 0)
        dangling();
    else if (strcmp(what, "far") == 0)
        far();
    else if (strcmp(what, "block") == 0)
        block(0);
    else if (strcmp(what, "late") == 0)
        block(1);
    else if (strcmp(what, "mapping") == 0)
        mapping();
    else if (strcmp(what, "misuse") == 0)
        misuse();
    else
        keep_status();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that says where it is: moments FOLDER MOMENT [LAUNCH [right]]
 *
 * At MOMENT a rank makes the file FOLDER/MOMENT.RANK.PID and goes on when there is FOLDER/go. Rank 0 takes
 * two messages in either order, thrice: 8 interleavings. Those in which rank 1 came first in the first round
 * leak a datatype (not with `right`): a finding that is known before the moment. The moments come where
 * rank 2 was first, for the search comes to these later; those before MPI_Init in launch number LAUNCH, or
 * after it.
 *
 *   connect     rank 0 is before MPI_Init, the others wait for it in MPI_Init
 *   init        the same, for those who want one of the others
 *   fence       rank 0 computes, the others wait in MPI_Recv for it
 *   batch       inside of MPI: MPI_Allreduce calls its operation
 *   checkpoint  after a choice point with another alternative; rank 0 computes
 *   finalize    MPI_Finalize calls what deletes an attribute of MPI_COMM_SELF
 *   none        nobody waits
 *
 * Files are made with mknod and nothing is written, which would keep ranks from being forked.
 */
#include <dirent.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *folder, *moment;
static int rank, first;

/* The kernel's word: to the program getpid() and syscall() go on saying what they said in the first run. */
static int real_pid(void)
{
    long pid = SYS_getpid;
    __asm__ volatile("syscall" : "+a"(pid) : : "rcx", "r11", "memory");
    return (int)pid;
}

static void leave_mark(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%d.%d", folder, name, rank, real_pid());
    mknod(path, S_IFREG | 0644, 0);
}

static void await_go(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/go", folder);
    while (access(path, F_OK) != 0)
        usleep(1000);
}

/* The rank is here; if that is the moment, it waits. */
static void arrive(const char *here)
{
    if (strcmp(here, moment) != 0)
        return;
    leave_mark(here);
    await_go();
}

/* How often this rank was launched. */
static int launches(void)
{
    char mine[64];
    int n = 0;
    snprintf(mine, sizeof mine, "launched.%d.", rank);
    leave_mark("launched");
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        n += strncmp(entry->d_name, mine, strlen(mine)) == 0;
    closedir(dir);
    return n;
}

static void before_init(int launch)
{
    bool now = launches() >= launch && (strcmp(moment, "connect") == 0 || strcmp(moment, "init") == 0);
    if (!now)
        return;
    leave_mark("near");
    if (rank == 0)
        arrive(moment);
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    if (first == 2)
        arrive("batch");
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static int on_finalize(MPI_Comm comm, int keyval, void *value, void *extra)
{
    if (first == 2)
        arrive("finalize");
    return MPI_SUCCESS;
}

/* Who came first. */
static int take_both(int tag)
{
    int from[2] = {0};
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < 2; i++)
        MPI_Recv(&from[i], 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return from[0];
}

static void meet(MPI_Op op)
{
    int value = rank, sum;
    leave_mark("near");
    if (rank == 0) {
        arrive("fence");
        for (int i = 1; i < 3; i++)
            MPI_Send(&value, 1, MPI_INT, i, 1, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    if (sum != 3)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

int main(int argc, char **argv)
{
    folder = argv[1];
    moment = argv[2];
    rank = atoi(getenv("PMI_RANK"));
    before_init(argc > 3 ? atoi(argv[3]) : 0);
    MPI_Init(&argc, &argv);
    int keyval;
    MPI_Op op;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Comm_free_keyval(&keyval);
    MPI_Op_create(add, 1, &op);

    first = take_both(0);
    MPI_Bcast(&first, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (first == 1 && rank == 0 && argc <= 4) {
        MPI_Datatype leaked;
        MPI_Type_contiguous(2, MPI_INT, &leaked);
        MPI_Type_commit(&leaked);
    }
    if (first == 2)
        meet(op);
    take_both(2);
    take_both(3);
    if (first == 2)
        leave_mark("near");
    if (first == 2 && rank == 0)
        arrive("checkpoint");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}

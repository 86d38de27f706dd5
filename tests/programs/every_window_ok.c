/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way to make a window, and every access to its other side; each with int and with large counts. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 4 * sizeof(int) };

static int rank, other, *memory;
static MPI_Win win;

static void check(const char *name, int value, int want)
{
    if (value == want)
        return;
    printf("%s: rank %d has %d, not %d\n", name, rank, value, want);
    exit(1);
}

/* Each rank has 0 there. */
static void reset(void)
{
    MPI_Win_fence(0, win);
    memory[0] = 0;
    MPI_Win_fence(0, win);
}

#define PLACE other, 0, 1, MPI_INT

/* What the other rank has put there. */
#define WRITES(NAME, WANT, ...)                  \
    do {                                         \
        int mine = 1 + rank;                     \
        reset();                                 \
        __VA_ARGS__;                             \
        MPI_Win_fence(0, win);                   \
        check(NAME, memory[0], WANT);            \
        MPI_Win_fence(0, win);                   \
    } while (0)

/* What was at the other rank's. */
#define READS(NAME, ...)                                            \
    do {                                                            \
        int mine = 1 + rank, got = -1;                              \
        reset();                                                    \
        memory[0] = 7 + rank;                                       \
        MPI_Win_fence(0, win);                                      \
        (void)mine;                                                 \
        __VA_ARGS__;                                                \
        MPI_Win_fence(0, win);                                      \
        check(NAME, got, 7 + other);                                \
    } while (0)

/* The same within a lock, for those with a request. */
#define LOCKED(...)                          \
    do {                                     \
        MPI_Request q;                       \
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win); \
        MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win); \
        __VA_ARGS__;                         \
        MPI_Wait(&q, MPI_STATUS_IGNORE);     \
        MPI_Win_unlock(other, win);          \
        MPI_Barrier(MPI_COMM_WORLD);         \
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win); \
    } while (0)

#define MINE &mine, 1, MPI_INT
#define GOT &got, 1, MPI_INT

static void writes(void)
{
    WRITES("Put", 1 + other, MPI_Put(MINE, PLACE, win));
    WRITES("Put_c", 1 + other, MPI_Put_c(MINE, PLACE, win));
    WRITES("Accumulate", 1 + other, MPI_Accumulate(MINE, PLACE, MPI_SUM, win));
    WRITES("Accumulate_c", 1 + other, MPI_Accumulate_c(MINE, PLACE, MPI_SUM, win));
    WRITES("Rput", 1 + other, LOCKED(MPI_Rput(MINE, PLACE, win, &q)));
    WRITES("Rput_c", 1 + other, LOCKED(MPI_Rput_c(MINE, PLACE, win, &q)));
    WRITES("Raccumulate", 1 + other, LOCKED(MPI_Raccumulate(MINE, PLACE, MPI_SUM, win, &q)));
    WRITES("Raccumulate_c", 1 + other, LOCKED(MPI_Raccumulate_c(MINE, PLACE, MPI_SUM, win, &q)));
}

static void reads(void)
{
    int none = 0;
    READS("Get", MPI_Get(GOT, PLACE, win));
    READS("Get_c", MPI_Get_c(GOT, PLACE, win));
    READS("Get_accumulate", MPI_Get_accumulate(MINE, GOT, PLACE, MPI_SUM, win));
    READS("Get_accumulate_c", MPI_Get_accumulate_c(MINE, GOT, PLACE, MPI_SUM, win));
    READS("Fetch_and_op", MPI_Fetch_and_op(&mine, &got, MPI_INT, other, 0, MPI_SUM, win));
    READS("Compare_and_swap", MPI_Compare_and_swap(&mine, &none, &got, MPI_INT, other, 0, win));
    READS("Rget", LOCKED(MPI_Rget(GOT, PLACE, win, &q)));
    READS("Rget_c", LOCKED(MPI_Rget_c(GOT, PLACE, win, &q)));
    READS("Rget_accumulate", LOCKED(MPI_Rget_accumulate(MINE, GOT, PLACE, MPI_SUM, win, &q)));
    READS("Rget_accumulate_c", LOCKED(MPI_Rget_accumulate_c(MINE, GOT, PLACE, MPI_SUM, win, &q)));
}

static void accesses(void)
{
    MPI_Win_set_info(win, MPI_INFO_ENV);
    writes();
    reads();
    MPI_Win_free(&win);
}

static void shared(MPI_Comm comm)
{
    MPI_Aint size;
    int unit, *theirs;
    MPI_Win_shared_query(win, other, &size, &unit, &theirs);
    check("Win_shared_query", (int)size, SIZE);
    MPI_Aint unit_c;
    MPI_Win_shared_query_c(win, other, &size, &unit_c, &theirs);
    check("Win_shared_query_c", (int)unit_c, unit);
    MPI_Win_fence(0, win);
    theirs[1] = rank;
    MPI_Barrier(comm);
    check("shared memory", memory[1], other);
    accesses();
}

/* Addresses of dynamic windows are the target's. */
static void dynamic(void)
{
    MPI_Aint here, there;
    int value = 3 + rank, got = -1;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, &value, sizeof value);
    MPI_Get_address(&value, &here);
    MPI_Sendrecv(&here, 1, MPI_AINT, other, 0, &there, 1, MPI_AINT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_lock_all(0, win);
    MPI_Get(&got, 1, MPI_INT, other, there, 1, MPI_INT, win);
    MPI_Win_flush(other, win);
    check("Win_create_dynamic", got, 3 + other);
    MPI_Get(&got, 1, MPI_INT, other, there, 1, MPI_INT, win);
    MPI_Win_flush_local(other, win);
    MPI_Win_flush_local_all(win);
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, &value);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    int room[4];
    MPI_Comm node;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    memory = room;
    MPI_Win_create(room, SIZE, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    accesses();
    MPI_Win_create_c(room, SIZE, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    accesses();
    MPI_Win_allocate(SIZE, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    accesses();
    MPI_Win_allocate_c(SIZE, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    accesses();
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Win_allocate_shared(SIZE, sizeof(int), MPI_INFO_NULL, node, &memory, &win);
    shared(node);
    MPI_Win_allocate_shared_c(SIZE, sizeof(int), MPI_INFO_NULL, node, &memory, &win);
    shared(node);
    MPI_Comm_free(&node);
    dynamic();
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way to write a file, read back by the way to read of the same kind; each with int and with large counts. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, mine, got;
static MPI_File file;
static MPI_Status status;

/* With the shared pointer the ranks may come in any order. */
static void check(const char *name)
{
    int count, theirs = mine + (rank ? -100 : 100);
    MPI_Get_count(&status, MPI_INT, &count);
    if (count == 1 && (got == mine || (strstr(name, "shared") && got == theirs)))
        return;
    printf("%s: rank %d has read %d, not %d\n", name, rank, got, mine);
    exit(1);
}

static void begin(void)
{
    mine += 10;
    got = -1;
    MPI_File_set_size(file, 0);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_seek(file, rank, MPI_SEEK_SET);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* What was written is there for all. */
static void turn(void)
{
    MPI_File_sync(file);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_seek(file, rank, MPI_SEEK_SET);
}

/* By the shared pointer rank 0 comes first: the other orders are for other tests. */
static void before(const char *name)
{
    if (rank == 1 && strncmp(name, "_shared", 7) == 0)
        MPI_Recv(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void after(const char *name)
{
    if (rank == 0 && strncmp(name, "_shared", 7) == 0)
        MPI_Send(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
}

#define DATA(X) &X, 1, MPI_INT

#define BLOCKING(X, ...)                                              \
    do {                                                              \
        begin();                                                      \
        before(#X);                                                   \
        MPI_File_write##X(file, __VA_ARGS__ DATA(mine), &status);     \
        after(#X);                                                    \
        turn();                                                       \
        before(#X);                                                   \
        MPI_File_read##X(file, __VA_ARGS__ DATA(got), &status);       \
        after(#X);                                                    \
        check("read" #X);                                             \
    } while (0)
#define NONBLOCKING(X, ...)                                           \
    do {                                                              \
        MPI_Request q;                                                \
        begin();                                                      \
        before(#X);                                                   \
        MPI_File_iwrite##X(file, __VA_ARGS__ DATA(mine), &q);         \
        after(#X);                                                    \
        MPI_Wait(&q, &status);                                        \
        turn();                                                       \
        before(#X);                                                   \
        MPI_File_iread##X(file, __VA_ARGS__ DATA(got), &q);           \
        after(#X);                                                    \
        MPI_Wait(&q, &status);                                        \
        check("iread" #X);                                            \
    } while (0)
#define SPLIT(X, C, ...)                                              \
    do {                                                              \
        begin();                                                      \
        MPI_File_write##X##_begin##C(file, __VA_ARGS__ DATA(mine));   \
        MPI_File_write##X##_end(file, &mine, &status);                \
        turn();                                                       \
        MPI_File_read##X##_begin##C(file, __VA_ARGS__ DATA(got));     \
        MPI_File_read##X##_end(file, &got, &status);                  \
        check("read" #X "_begin" #C);                                 \
    } while (0)

static void blocking(void)
{
    BLOCKING(, );
    BLOCKING(_c, );
    BLOCKING(_all, );
    BLOCKING(_all_c, );
    BLOCKING(_at, rank, );
    BLOCKING(_at_c, rank, );
    BLOCKING(_at_all, rank, );
    BLOCKING(_at_all_c, rank, );
    BLOCKING(_ordered, );
    BLOCKING(_ordered_c, );
    BLOCKING(_shared, );
    BLOCKING(_shared_c, );
}

static void nonblocking(void)
{
    NONBLOCKING(, );
    NONBLOCKING(_c, );
    NONBLOCKING(_all, );
    NONBLOCKING(_all_c, );
    NONBLOCKING(_at, rank, );
    NONBLOCKING(_at_c, rank, );
    NONBLOCKING(_at_all, rank, );
    NONBLOCKING(_at_all_c, rank, );
    NONBLOCKING(_shared, );
    NONBLOCKING(_shared_c, );
}

static void split(void)
{
    SPLIT(_all, , );
    SPLIT(_all, _c, );
    SPLIT(_at_all, , rank, );
    SPLIT(_at_all, _c, rank, );
    SPLIT(_ordered, , );
    SPLIT(_ordered, _c, );
}

/* What changes the file, or how it is seen, for all. */
static void others(void)
{
    MPI_Info info;
    MPI_Offset size = -1;
    int atomic = 0;
    MPI_Info_create(&info);
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);
    MPI_File_set_atomicity(file, 1);
    MPI_File_get_atomicity(file, &atomic);
    MPI_File_set_atomicity(file, 0);
    MPI_File_set_size(file, 0);
    MPI_File_preallocate(file, 64);
    MPI_File_get_size(file, &size);
    if (!atomic || size != 64)
        exit(1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = 100 * rank;
    const char *name = argc > 1 ? argv[1] : "every_file";
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    blocking();
    nonblocking();
    split();
    others();
    MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_File_delete(name, MPI_INFO_NULL);
    MPI_Finalize();
    return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of MPI-1 that later versions have under other names, which libraries still have for old programs:
 * those that MPI 3.0 removed (MPI-3.0, section 16), and attributes by their first names. */
#define OMPI_OMIT_MPI1_COMPAT_DECLS 0 /* Open MPI's mpi.h declares them then */
#include <mpi.h>
#include <stdio.h>
#define CHECK(x)                                            \
    do {                                                    \
        if (!(x)) {                                         \
            fprintf(stderr, "line %d: %s\n", __LINE__, #x); \
            MPI_Abort(MPI_COMM_WORLD, 7);                   \
        }                                                   \
    } while (0)

static int handled;

static void handler(MPI_Comm *comm, int *code, ...)
{
    handled += *comm == MPI_COMM_WORLD && *code != MPI_SUCCESS;
}

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

/* Is there no such rank, or which? (MPI-3.1, section 8.1.2) */
static int is_rank_or_none(int key, int size)
{
    int *value, flag;
    MPI_Attr_get(MPI_COMM_WORLD, key, &value, &flag);
    return !flag || *value == MPI_PROC_NULL || *value == MPI_ANY_SOURCE || (*value >= 0 && *value < size);
}

static void exchange(int rank, int other, MPI_Datatype type)
{
    struct {
        int i;
        double d;
    } out = {rank, rank + 0.5}, in = {-1, -1};
    MPI_Sendrecv(&out, 1, type, other, 0, &in, 1, type, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(in.i == other && in.d == other + 0.5);
}

int main(int argc, char **argv)
{
    int rank, size, flag, key, mine = 7, lengths[] = {1, 1}, *value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    struct {
        int i;
        double d;
    } both;
    MPI_Aint at[2], extent, first, last;
    MPI_Datatype type, types[] = {MPI_INT, MPI_DOUBLE};
    MPI_Address(&both.i, &at[0]);
    MPI_Address(&both.d, &at[1]);
    at[1] -= at[0];
    at[0] = 0;
    MPI_Type_struct(2, lengths, at, types, &type);
    MPI_Type_extent(type, &extent);
    MPI_Type_lb(type, &first);
    MPI_Type_ub(type, &last);
    CHECK(extent == (MPI_Aint)sizeof both && first == 0 && last == extent);
    MPI_Type_commit(&type);
    if (rank < size - size % 2)
        exchange(rank, rank ^ 1, type);
    MPI_Type_free(&type);

    int bytes;
    MPI_Type_hvector(3, 1, 8, MPI_INT, &type);
    MPI_Type_size(type, &bytes);
    MPI_Type_extent(type, &extent);
    CHECK(bytes == 12 && extent == 20);
    MPI_Type_free(&type);
    MPI_Type_hindexed(2, lengths, at, MPI_INT, &type);
    MPI_Type_size(type, &bytes);
    CHECK(bytes == 8);
    MPI_Type_free(&type);

    MPI_Errhandler own, before;
    MPI_Errhandler_get(MPI_COMM_WORLD, &before);
    CHECK(before == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&before);
    MPI_Errhandler_create(handler, &own);
    MPI_Errhandler_set(MPI_COMM_WORLD, own);
    MPI_Errhandler_free(&own);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    CHECK(handled == 1);
    MPI_Errhandler_set(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);

    MPI_Comm comm;
    MPI_Keyval_create(copy, MPI_NULL_DELETE_FN, &key, NULL);
    MPI_Attr_put(MPI_COMM_WORLD, key, &mine);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Attr_get(comm, key, &value, &flag);
    CHECK(flag && value == &mine);
    MPI_Comm_free(&comm);
    MPI_Attr_delete(MPI_COMM_WORLD, key);
    MPI_Attr_get(MPI_COMM_WORLD, key, &value, &flag);
    CHECK(!flag);
    MPI_Keyval_free(&key);
    CHECK(key == MPI_KEYVAL_INVALID);
    CHECK(is_rank_or_none(MPI_HOST, size) && is_rank_or_none(MPI_IO, size));
    MPI_Finalize();
    return 0;
}

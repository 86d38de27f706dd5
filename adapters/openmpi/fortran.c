/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of Open MPI's Fortran bindings that would look into objects of its library (they take functions
 * of the program's, or attributes, or ask a communicator how large it is), or keep on their stack what MPI
 * writes later. All others call what the front has for C. mpif.h and the module mpi call
 * mpi_x_ or pmpi_x_, mpi_f08 either of these or ompi_x_f.
 *
 * Attributes (MPI-4.1, section 19.3.7): Fortran sets an integer as large as an address, and C gets a pointer
 * to it; what C has set, a pointer, Fortran gets as an integer.
 */
#include "callbacks.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#define FORTRAN(name, parameters)                                                                    \
    __attribute__((alias("mpi_" #name "_"), visibility("default"))) void pmpi_##name##_ parameters;  \
    __attribute__((alias("mpi_" #name "_"), visibility("default"))) void ompi_##name##_f parameters; \
    __attribute__((visibility("default"))) void mpi_##name##_ parameters;                            \
    void mpi_##name##_ parameters

typedef void function(void); /* of Fortran */

static void set(MPI_Fint *error, int code)
{
    if (error) /* optional in mpi_f08 */
        *error = code;
}

/* ---- operators and error handlers ---- */

FORTRAN(op_create, (function * f, const MPI_Fint *commute, MPI_Fint *op, MPI_Fint *error))
{
    MPI_Op mine = from_op(MPICH_MPI_OP_NULL);
    int code = front_op_create(*(void **)&f, true, *commute, &mine);
    *op = MPI_Op_c2f(mine);
    set(error, code);
}

#define HANDLER(name, kind)                                                \
    FORTRAN(name, (function * f, MPI_Fint * errhandler, MPI_Fint * error)) \
    {                                                                      \
        MPI_Errhandler mine = from_errhandler(MPICH_MPI_ERRHANDLER_NULL);  \
        int code = front_##kind##_handler(*(void **)&f, true, &mine);      \
        *errhandler = MPI_Errhandler_c2f(mine);                            \
        set(error, code);                                                  \
    }
HANDLER(comm_create_errhandler, comm)
HANDLER(win_create_errhandler, win)
HANDLER(file_create_errhandler, file)
HANDLER(errhandler_create, comm)

/* ---- attributes: values ---- */

/* What Fortran has set, in blocks of which each is twice as large as the one before. Never freed: copies of
 * an attribute may be anywhere. */
enum { BLOCKS = 40, FIRST = 1024 };
static MPI_Aint *blocks[BLOCKS];
static size_t n_blocks, n_used; /* of the last block */
static pthread_mutex_t cells_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t cells_of(size_t block) { return (size_t)FIRST << block; }

static void *cell_of(MPI_Aint value)
{
    pthread_mutex_lock(&cells_lock);
    if (!n_blocks || n_used == cells_of(n_blocks - 1)) {
        blocks[n_blocks] = front_must(calloc(cells_of(n_blocks), sizeof(MPI_Aint)));
        n_blocks++;
        n_used = 0;
    }
    MPI_Aint *cell = &blocks[n_blocks - 1][n_used++];
    *cell = value;
    pthread_mutex_unlock(&cells_lock);
    return cell;
}

static MPI_Aint value_of(void *attribute)
{
    MPI_Aint *cell = attribute;
    pthread_mutex_lock(&cells_lock);
    bool is_cell = false;
    for (size_t i = 0; i < n_blocks && !is_cell; i++)
        is_cell = cell >= blocks[i] && cell < blocks[i] + cells_of(i);
    pthread_mutex_unlock(&cells_lock);
    return is_cell ? *cell : (MPI_Aint)attribute;
}

/* Those of MPI: C gets a pointer to an integer. */
static bool is_integer(MPI_Fint key)
{
    return key == MPI_TAG_UB || key == MPI_HOST || key == MPI_IO || key == MPI_WTIME_IS_GLOBAL ||
           key == MPI_APPNUM || key == MPI_UNIVERSE_SIZE || key == MPI_LASTUSEDCODE ||
           key == MPI_WIN_DISP_UNIT || key == MPI_WIN_CREATE_FLAVOR || key == MPI_WIN_MODEL;
}

static MPI_Aint got(MPI_Fint key, void *attribute)
{
    if (key == MPI_WIN_SIZE)
        return *(MPI_Aint *)attribute;
    return is_integer(key) ? *(int *)attribute : value_of(attribute);
}

#define VALUES(kind, Type, Name)                                                                         \
    FORTRAN(kind##_set_attr,                                                                             \
            (const MPI_Fint *of, const MPI_Fint *key, const MPI_Aint *value, MPI_Fint *error))           \
    {                                                                                                    \
        set(error, Name##_set_attr(Type##_f2c(*of), *key, cell_of(*value)));                             \
    }                                                                                                    \
    FORTRAN(kind##_get_attr,                                                                             \
            (const MPI_Fint *of, const MPI_Fint *key, MPI_Aint *value, MPI_Fint *flag, MPI_Fint *error)) \
    {                                                                                                    \
        void *attribute = NULL;                                                                          \
        int found = 0, code = Name##_get_attr(Type##_f2c(*of), *key, &attribute, &found);                \
        if (code == MPI_SUCCESS && found)                                                                \
            *value = got(*key, attribute);                                                               \
        *flag = found;                                                                                   \
        set(error, code);                                                                                \
    }
VALUES(comm, MPI_Comm, MPI_Comm)
VALUES(type, MPI_Type, MPI_Type)
VALUES(win, MPI_Win, MPI_Win)

/* The first version's have integers of the usual size. */
FORTRAN(attr_put, (const MPI_Fint *comm, const MPI_Fint *key, const MPI_Fint *value, MPI_Fint *error))
{
    set(error, MPI_Comm_set_attr(MPI_Comm_f2c(*comm), *key, cell_of(*value)));
}

FORTRAN(attr_get,
        (const MPI_Fint *comm, const MPI_Fint *key, MPI_Fint *value, MPI_Fint *flag, MPI_Fint *error))
{
    void *attribute = NULL;
    int found = 0, code = MPI_Comm_get_attr(MPI_Comm_f2c(*comm), *key, &attribute, &found);
    if (code == MPI_SUCCESS && found)
        *value = (MPI_Fint)got(*key, attribute);
    *flag = found;
    set(error, code);
}

/* ---- attributes: keys ---- */

typedef void copy_function(MPI_Fint *, MPI_Fint *, void *, void *, void *, MPI_Fint *, MPI_Fint *);
typedef void delete_function(MPI_Fint *, MPI_Fint *, void *, void *, MPI_Fint *);

/* extra_state of C. Never freed, as in callbacks.c. */
struct key {
    copy_function *copy;
    delete_function *delete;
    MPI_Aint extra;
    bool small; /* the first version's */
};

/* What the program's function gets in the place of an attribute, or of extra_state. */
union word {
    MPI_Aint large;
    MPI_Fint small;
};

static union word word_of(const struct key *k, MPI_Aint value)
{
    union word w = {.large = value};
    if (k->small)
        w.small = (MPI_Fint)value;
    return w;
}

static int copy_by(MPI_Fint of, int key, void *extra, void *in, void *out, int *flag)
{
    const struct key *k = extra;
    MPI_Fint number = key, found = 0, error = MPI_SUCCESS;
    union word state = word_of(k, k->extra), old = word_of(k, value_of(in)), new = {0};
    k->copy(&of, &number, &state, &old, &new, &found, &error);
    *flag = found != 0;
    if (found)
        *(void **)out = cell_of(k->small ? new.small : new.large);
    return error;
}

static int delete_by(MPI_Fint of, int key, void *value, void *extra)
{
    const struct key *k = extra;
    MPI_Fint number = key, error = MPI_SUCCESS;
    union word state = word_of(k, k->extra), old = word_of(k, value_of(value));
    k->delete (&of, &number, &old, &state, &error);
    return error;
}

static int create_key(const char *name, const struct front_attributes *by, copy_function *copy,
                      delete_function *delete, MPI_Fint *key, MPI_Aint extra, bool small)
{
    struct key *k = calloc(1, sizeof *k);
    if (!k)
        return MPI_ERR_NO_MEM;
    *k = (struct key){copy, delete, extra, small};
    return front_create_keyval(name, by, key, k);
}

#define KEYS(kind, Type, name, fortran, Extra, small)                                                     \
    static int copy_##fortran(void *of, int key, void *extra, void *in, void *out, int *flag)             \
    {                                                                                                     \
        return copy_by(Type##_c2f(of), key, extra, in, out, flag);                                        \
    }                                                                                                     \
    static int delete_##fortran(void *of, int key, void *value, void *extra)                              \
    {                                                                                                     \
        return delete_by(Type##_c2f(of), key, value, extra);                                              \
    }                                                                                                     \
    FORTRAN(fortran, (copy_function * copy, delete_function * delete, MPI_Fint * key, const Extra *extra, \
                      MPI_Fint *error))                                                                   \
    {                                                                                                     \
        static const struct front_attributes by = {copy_##fortran, delete_##fortran};                     \
        set(error, create_key(name, &by, copy, delete, key, *extra, small));                              \
    }
KEYS(comm, MPI_Comm, "MPI_Comm_create_keyval", comm_create_keyval, MPI_Aint, false)
KEYS(type, MPI_Type, "MPI_Type_create_keyval", type_create_keyval, MPI_Aint, false)
KEYS(win, MPI_Win, "MPI_Win_create_keyval", win_create_keyval, MPI_Aint, false)
KEYS(comm, MPI_Comm, "MPI_Keyval_create", keyval_create, MPI_Fint, true)

/* ---- generalized requests ---- */

struct generalized {
    void (*query)(MPI_Aint *, MPI_Fint *, MPI_Fint *), (*free)(MPI_Aint *, MPI_Fint *),
        (*cancel)(MPI_Aint *, MPI_Fint *, MPI_Fint *);
    MPI_Aint *extra; /* the program's variable */
};

static int query(void *extra, MPI_Status *status)
{
    struct generalized *g = extra;
    MPI_Fint error = MPI_SUCCESS;
    g->query(g->extra, (MPI_Fint *)status, &error); /* of six integers: its own in C */
    return error;
}

static int let_go(void *extra)
{
    struct generalized *g = extra;
    MPI_Fint error = MPI_SUCCESS;
    g->free(g->extra, &error);
    free(g);
    return error;
}

static int cancel(void *extra, int complete)
{
    struct generalized *g = extra;
    MPI_Fint error = MPI_SUCCESS, done = complete;
    g->cancel(g->extra, &done, &error);
    return error;
}

FORTRAN(grequest_start, (function * query_function, function *free_function, function *cancel_function,
                         MPI_Aint *extra, MPI_Fint *request, MPI_Fint *error))
{
    struct generalized *g = calloc(1, sizeof *g);
    MPI_Request mine = from_request(MPICH_MPI_REQUEST_NULL);
    int code = MPI_ERR_NO_MEM;
    if (g) {
        memcpy(&g->query, &query_function, sizeof g->query);
        memcpy(&g->free, &free_function, sizeof g->free);
        memcpy(&g->cancel, &cancel_function, sizeof g->cancel);
        g->extra = extra;
        code = MPI_Grequest_start(query, let_go, cancel, g, &mine);
    }
    *request = MPI_Request_c2f(mine);
    set(error, code);
}

/* ---- what the bindings ask Open MPI's objects, or have on their stack ---- */

/* MPI_IN_PLACE and MPI_BOTTOM are common blocks. */
static void *buffer_of(void *buffer)
{
    if (buffer == dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_"))
        return MPI_IN_PLACE;
    return buffer == dlsym(RTLD_DEFAULT, "mpi_fortran_bottom_") ? MPI_BOTTOM : buffer;
}

static MPI_Datatype *types_of(const MPI_Fint *numbers, int n)
{
    MPI_Datatype *types = front_must(calloc(n > 0 ? (size_t)n : 1, sizeof *types));
    for (int i = 0; i < n; i++)
        types[i] = MPI_Type_f2c(numbers[i]);
    return types;
}

static int all_to_all(void *sendbuf, const MPI_Fint *sendcounts, const MPI_Fint *sdispls,
                      const MPI_Fint *sendtypes, void *recvbuf, const MPI_Fint *recvcounts,
                      const MPI_Fint *rdispls, const MPI_Fint *recvtypes, MPI_Comm comm, MPI_Request *request)
{
    void *from = buffer_of(sendbuf), *to = buffer_of(recvbuf);
    int n = to_all(comm), code;
    MPI_Datatype *sent = from == MPI_IN_PLACE ? NULL : types_of(sendtypes, n), *got = types_of(recvtypes, n);
    if (request)
        code = MPI_Ialltoallw(from, sendcounts, sdispls, sent, to, recvcounts, rdispls, got, comm, request);
    else
        code = MPI_Alltoallw(from, sendcounts, sdispls, sent, to, recvcounts, rdispls, got, comm);
    free(sent);
    free(got);
    return code;
}

FORTRAN(alltoallw,
        (void *sendbuf, const MPI_Fint *sendcounts, const MPI_Fint *sdispls, const MPI_Fint *sendtypes,
         void *recvbuf, const MPI_Fint *recvcounts, const MPI_Fint *rdispls, const MPI_Fint *recvtypes,
         const MPI_Fint *comm, MPI_Fint *error))
{
    set(error, all_to_all(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                          MPI_Comm_f2c(*comm), NULL));
}

FORTRAN(ialltoallw,
        (void *sendbuf, const MPI_Fint *sendcounts, const MPI_Fint *sdispls, const MPI_Fint *sendtypes,
         void *recvbuf, const MPI_Fint *recvcounts, const MPI_Fint *rdispls, const MPI_Fint *recvtypes,
         const MPI_Fint *comm, MPI_Fint *request, MPI_Fint *error))
{
    MPI_Request mine = from_request(MPICH_MPI_REQUEST_NULL);
    int code = all_to_all(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                          MPI_Comm_f2c(*comm), &mine);
    *request = MPI_Request_c2f(mine);
    set(error, code);
}

/* The number of a communicator that is not predefined is MPICH's handle, which is written later. */
FORTRAN(comm_idup, (const MPI_Fint *comm, MPI_Fint *newcomm, MPI_Fint *request, MPI_Fint *error))
{
    static int (*call)(int, int *, int *);
    int mine = MPICH_MPI_REQUEST_NULL;
    find(&call, "MPI_Comm_idup");
    int code = call(to_comm(MPI_Comm_f2c(*comm)), newcomm, &mine);
    *request = MPI_Request_c2f(from_request(mine));
    set(error, from_code(code));
}

FORTRAN(type_match_size, (const MPI_Fint *typeclass, const MPI_Fint *size, MPI_Fint *type, MPI_Fint *error))
{
    MPI_Datatype mine = from_datatype(MPICH_MPI_DATATYPE_NULL);
    int code = MPI_Type_match_size(*typeclass, *size, &mine);
    *type = MPI_Type_c2f(mine);
    set(error, code);
}

/* ---- groups: the bindings read the number of a new one in Open MPI's object ---- */

#define GROUP(name, Name, parameters, ...)                 \
    FORTRAN(name, parameters)                              \
    {                                                      \
        MPI_Group mine = from_group(MPICH_MPI_GROUP_NULL); \
        int code = MPI_Group_##Name(__VA_ARGS__, &mine);   \
        if (code == MPI_SUCCESS)                           \
            *made = MPI_Group_c2f(mine);                   \
        set(error, code);                                  \
    }
#define OF_TWO(name)                                                                                   \
    GROUP(group_##name, name, (const MPI_Fint *a, const MPI_Fint *b, MPI_Fint *made, MPI_Fint *error), \
          MPI_Group_f2c(*a), MPI_Group_f2c(*b))
#define OF_RANKS(name)                                                                                      \
    GROUP(                                                                                                  \
        group_##name, name,                                                                                 \
        (const MPI_Fint *group, const MPI_Fint *n, const MPI_Fint *ranks, MPI_Fint *made, MPI_Fint *error), \
        MPI_Group_f2c(*group), *n, ranks)
#define OF_RANGES(name)                                                                                      \
    GROUP(group_##name, name,                                                                                \
          (const MPI_Fint *group, const MPI_Fint *n, MPI_Fint(*ranges)[3], MPI_Fint *made, MPI_Fint *error), \
          MPI_Group_f2c(*group), *n, ranges)
OF_TWO(union)
OF_TWO(intersection)
OF_TWO(difference)
OF_RANKS(incl)
OF_RANKS(excl)
OF_RANGES(range_incl)
OF_RANGES(range_excl)

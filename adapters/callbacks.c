/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that the program gives to MPI are called by it with MPICH's handles: each gets those of its own
 * interface here. These get a pointer of the program's, too (extra_state): that says which function is meant.
 */
#include "callbacks.h"

/* ---- attributes ---- */

/* All three kinds have functions of the same form, since handles are pointers. Never freed: nobody says when
 * the last attribute of a key is gone. */
struct keeper {
    struct front_attributes program;
    void *extra;
};

static int copy(int handle, int key, void *extra, void *in, void *out, int *flag)
{
    const struct keeper *k = extra;
    return to_code(k->program.copy(front_from(handle), key, k->extra, in, out, flag));
}

static int delete (int handle, int key, void *value, void *extra)
{
    const struct keeper *k = extra;
    return to_code(k->program.delete(front_from(handle), key, value, k->extra));
}

/* MPI_X_DUP_FN of the standard interface is the number 1. */
static int duplicate(int handle, int key, void *extra, void *in, void *out, int *flag)
{
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static bool is_number(const struct front_attributes *program)
{
    return *(void *const *)&program->copy == (void *)1;
}

int front_create_keyval(const char *name, const struct front_attributes *program, int *key, void *extra)
{
    int (*call)(int (*)(int, int, void *, void *, void *, int *), int (*)(int, int, void *, void *), int *,
                void *) = NULL;
    find(&call, name);
    struct keeper *k = front_must(calloc(1, sizeof *k));
    *k = (struct keeper){*program, extra};
    return from_code(call(is_number(program) ? duplicate
                          : program->copy    ? copy
                                             : NULL,
                          program->delete ? delete : NULL, key, k));
}

#define KEYVAL(name, Copy, Delete)                                                            \
    FRONT(int, name, (Copy * copy_function, Delete * delete_function, int *key, void *extra)) \
    {                                                                                         \
        struct front_attributes program;                                                      \
        *(void **)&program.copy = *(void **)&copy_function;                                   \
        *(void **)&program.delete = *(void **)&delete_function;                               \
        return front_create_keyval(#name, &program, key, extra);                              \
    }
KEYVAL(MPI_Comm_create_keyval, MPI_Comm_copy_attr_function, MPI_Comm_delete_attr_function)
KEYVAL(MPI_Type_create_keyval, MPI_Type_copy_attr_function, MPI_Type_delete_attr_function)
KEYVAL(MPI_Win_create_keyval, MPI_Win_copy_attr_function, MPI_Win_delete_attr_function)
KEYVAL(MPI_Keyval_create, MPI_Copy_function, MPI_Delete_function)

#define FREE_KEYVAL(name)                                                        \
    FRONT(int, name, (int *key))                                                 \
    {                                                                            \
        static int (*call)(int *);                                               \
        find(&call, #name);                                                      \
        int mine = key ? to_keyval(*key) : 0, code = call(key ? &mine : NULL);   \
        if (key)                                                                 \
            *key = mine == MPICH_MPI_KEYVAL_INVALID ? MPI_KEYVAL_INVALID : mine; \
        return from_code(code);                                                  \
    }
FREE_KEYVAL(MPI_Comm_free_keyval)
FREE_KEYVAL(MPI_Type_free_keyval)
FREE_KEYVAL(MPI_Win_free_keyval)
FREE_KEYVAL(MPI_Keyval_free)

/* Predefined ones of which the value is a rank, or says that there is none. */
#define GET_ATTR(name)                                                                    \
    FRONT(int, name, (MPI_Comm comm, int key, void *value, int *flag))                    \
    {                                                                                     \
        static int (*call)(int, int, void *, int *), host, io;                            \
        int **place = value, *own = key == MPI_HOST ? &host : key == MPI_IO ? &io : NULL; \
        find(&call, #name);                                                               \
        int code = call(to_comm(comm), to_keyval(key), value, flag);                      \
        if (code == MPI_SUCCESS && own && flag && *flag) {                                \
            *own = from_rank(**place);                                                    \
            *place = own;                                                                 \
        }                                                                                 \
        return from_code(code);                                                           \
    }
GET_ATTR(MPI_Comm_get_attr)
GET_ATTR(MPI_Attr_get)

FRONT(int, MPI_Win_get_attr, (MPI_Win win, int key, void *value, int *flag))
{
    static int (*call)(int, int, void *, int *), separate = MPI_WIN_SEPARATE, unified = MPI_WIN_UNIFIED,
                                                 flavors[MPICH_MPI_WIN_FLAVOR_SHARED + 1];
    find(&call, "MPI_Win_get_attr");
    int code = call(to_win(win), to_keyval(key), value, flag), **place = value;
    if (code == MPI_SUCCESS && key == MPI_WIN_MODEL && flag && *flag)
        *place = **place == MPICH_MPI_WIN_UNIFIED ? &unified : &separate;
    if (code == MPI_SUCCESS && key == MPI_WIN_CREATE_FLAVOR && flag && *flag) {
        int *own = &flavors[**place];
        *own = from_flavor(**place);
        *place = own;
    }
    return from_code(code);
}

/* ---- generalized requests ---- */

struct generalized {
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *extra;
};

static int query(void *extra, struct status *status)
{
    const struct generalized *g = extra;
    MPI_Status mine = from_status(status);
    int code = g->query(g->extra, &mine);
    *status = to_status(&mine);
    return to_code(code);
}

static int let_go(void *extra)
{
    struct generalized *g = extra;
    int code = g->free ? g->free(g->extra) : MPI_SUCCESS;
    free(g);
    return to_code(code);
}

static int cancel(void *extra, int complete)
{
    const struct generalized *g = extra;
    return to_code(g->cancel(g->extra, complete));
}

FRONT(int, MPI_Grequest_start,
      (MPI_Grequest_query_function * query_function, MPI_Grequest_free_function *free_function,
       MPI_Grequest_cancel_function *cancel_function, void *extra, MPI_Request *request))
{
    static int (*call)(int (*)(void *, struct status *), int (*)(void *), int (*)(void *, int), void *,
                       int *);
    find(&call, "MPI_Grequest_start");
    struct generalized *g = front_must(calloc(1, sizeof *g));
    *g = (struct generalized){query_function, free_function, cancel_function, extra};
    int mine = MPICH_MPI_REQUEST_NULL;
    int code = call(query_function ? query : NULL, let_go, cancel_function ? cancel : NULL, g,
                    request ? &mine : NULL);
    if (request)
        *request = from_request(mine);
    return from_code(code);
}

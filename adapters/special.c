/* SPDX-License-Identifier: BSD-3-Clause */
/* What no rule of generate.py fits: errors and names as text, Fortran's numbers, and the rest. */
#include "front.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ---- libraries ---- */

void *front_isp(void)
{
    void *library = dlopen("libisp.so", RTLD_LAZY | RTLD_NOLOAD);
    int *overhead = library ? dlsym(library, "isp_bsend_overhead") : NULL;
    if (overhead) /* what a program of this interface has reckoned with */
        *overhead = MPI_BSEND_OVERHEAD;
    return library;
}

void front_missing(const char *name, const char *whose, const char *kind, const void *site)
{
    char text[128];
    snprintf(text, sizeof text, "%s: %s has no such %s", name, whose, kind);
    front_refuse(text, site);
}

void front_refuse(const char *text, const void *site)
{
    void (*refuse)(const char *, const void *);
    *(void **)&refuse = dlsym(front_isp(), "isp_unsupported");
    if (refuse)
        refuse(text, site);
    fprintf(stderr, "isp: %s\n", text);
    abort();
}

void front_find_in(void *library, void *place, const char *name, const char *whose)
{
    void *found = library ? dlsym(library, name) : NULL;
    if (!found)
        front_missing(name, whose, "function", NULL);
    __atomic_store_n((void **)place, found, __ATOMIC_RELEASE);
}

/* ---- text: MPICH's may be longer than a caller has room for ---- */

enum { TEXT = 8192 };

static void cut(char *out, int *length, const char *text, size_t room)
{
    if (out)
        snprintf(out, room, "%s", text);
    if (out && length)
        *length = (int)strlen(out);
}

FRONT(int, MPI_Error_string, (int errorcode, char *string, int *length))
{
    static int (*call)(int, char *, int *);
    char text[TEXT] = "";
    int n;
    find(&call, "MPI_Error_string");
    int code = call(to_code(errorcode), string ? text : NULL, length ? &n : NULL);
    cut(string, length, text, MPI_MAX_ERROR_STRING);
    return from_code(code);
}

FRONT(int, MPI_Get_library_version, (char *version, int *length))
{
    static int (*call)(char *, int *);
    char text[TEXT] = "";
    int n;
    find(&call, "MPI_Get_library_version");
    int code = call(version ? text : NULL, length ? &n : NULL);
    text[strcspn(text, "\n")] = '\0';
    cut(version, length, text, MPI_MAX_LIBRARY_VERSION_STRING);
    return from_code(code);
}

/* That of the program's mpi.h, as far as MPICH has it. */
FRONT(int, MPI_Get_version, (int *version, int *subversion))
{
    static int (*call)(int *, int *);
    find(&call, "MPI_Get_version");
    int code = call(version, subversion);
    if (code == MPI_SUCCESS && version && subversion && *version >= MPI_VERSION) {
        *subversion = *version > MPI_VERSION || *subversion > MPI_SUBVERSION ? MPI_SUBVERSION : *subversion;
        *version = MPI_VERSION;
    }
    return from_code(code);
}

FRONT(int, MPI_Info_get_nthkey, (MPI_Info info, int n, char *key))
{
    static int (*call)(int, int, char *);
    char text[TEXT] = "";
    find(&call, "MPI_Info_get_nthkey");
    int code = call(to_info(info), n, key ? text : NULL);
    if (code == MPI_SUCCESS)
        cut(key, NULL, text, MPI_MAX_INFO_KEY);
    return from_code(code);
}

#define GET_NAME(name, Type, kind)                                                  \
    FRONT(int, name, (Type handle, char *text, int *length))                        \
    {                                                                               \
        static int (*call)(int, char *, int *);                                     \
        char mine[TEXT] = "";                                                       \
        int n;                                                                      \
        find(&call, #name);                                                         \
        int code = call(to_##kind(handle), text ? mine : NULL, length ? &n : NULL); \
        if (code == MPI_SUCCESS)                                                    \
            cut(text, length, mine, MPI_MAX_OBJECT_NAME);                           \
        return from_code(code);                                                     \
    }
GET_NAME(MPI_Comm_get_name, MPI_Comm, comm)
GET_NAME(MPI_Type_get_name, MPI_Datatype, datatype)
GET_NAME(MPI_Win_get_name, MPI_Win, win)

/* ---- errors ---- */

/* Codes are classes here, but for those that the program has made. */
FRONT(int, MPI_Error_class, (int errorcode, int *errorclass))
{
    static int (*call)(int, int *);
    int mine = 0;
    find(&call, "MPI_Error_class");
    int code = call(to_code(errorcode), errorclass ? &mine : NULL);
    if (errorclass)
        *errorclass = from_code(mine);
    return from_code(code);
}

FRONT(int, MPI_Add_error_class, (int *errorclass))
{
    static int (*call)(int *);
    find(&call, "MPI_Add_error_class");
    return from_code(call(errorclass));
}

FRONT(int, MPI_Add_error_code, (int errorclass, int *errorcode))
{
    static int (*call)(int, int *);
    find(&call, "MPI_Add_error_code");
    return from_code(call(to_code(errorclass), errorcode));
}

FRONT(int, MPI_Add_error_string, (int errorcode, const char *string))
{
    static int (*call)(int, const char *);
    find(&call, "MPI_Add_error_string");
    return from_code(call(to_code(errorcode), string));
}

/* ---- Fortran ---- */

#define FORTRAN(Type, name, KIND)                                                     \
    FRONT(MPI_Fint, MPI_##name##_c2f, (Type handle)) { return front_number(handle); } \
    FRONT(Type, MPI_##name##_f2c, (MPI_Fint number)) { return front_numbered(FRONT_##KIND, number); }
FORTRAN(MPI_Comm, Comm, COMM)
FORTRAN(MPI_Datatype, Type, DATATYPE)
FORTRAN(MPI_Errhandler, Errhandler, ERRHANDLER)
FORTRAN(MPI_Group, Group, GROUP)
FORTRAN(MPI_Info, Info, INFO)
FORTRAN(MPI_Message, Message, MESSAGE)
FORTRAN(MPI_Op, Op, OP)
FORTRAN(MPI_Win, Win, WIN)
#ifdef MPI_SESSION_NULL
FORTRAN(MPI_Session, Session, SESSION)
#endif

FRONT(MPI_Fint, MPI_Request_c2f, (MPI_Request request)) { return front_number(request); }

FRONT(MPI_Request, MPI_Request_f2c, (MPI_Fint number))
{
    MPI_Request null = from_request(MPICH_MPI_REQUEST_NULL);
    return number == front_number(null) ? null : from_request(number);
}

/* MPICH's is a pointer: it has numbers for them. */
FRONT(MPI_Fint, MPI_File_c2f, (MPI_File file))
{
    static int (*call)(void *);
    find(&call, "MPI_File_c2f");
    return call(to_file(file));
}

FRONT(MPI_File, MPI_File_f2c, (MPI_Fint number))
{
    static void *(*call)(int);
    find(&call, "MPI_File_f2c");
    return from_file(call(number));
}

/* In Fortran it is the same integers. */
FRONT(int, MPI_Status_c2f, (const MPI_Status *c_status, MPI_Fint *f_status))
{
    memcpy(f_status, c_status, sizeof *c_status);
    return MPI_SUCCESS;
}

FRONT(int, MPI_Status_f2c, (const MPI_Fint *f_status, MPI_Status *c_status))
{
    memcpy(c_status, f_status, sizeof *c_status);
    return MPI_SUCCESS;
}

/* ---- the rest ---- */

/* The constants among the arguments of a constructor (MPI-4.1, section 5.1.13): where the distributions of a
 * darray begin. */
static void contents_out(int combiner, int *integers, MPI_Count n, int distributions)
{
    if (combiner != MPI_COMBINER_SUBARRAY && combiner != MPI_COMBINER_DARRAY)
        return;
    integers[n - 1] = from_order(integers[n - 1]);
    for (int i = 0, dims = integers[2]; combiner == MPI_COMBINER_DARRAY && i < dims; i++) {
        int *distribution = &integers[distributions + i], *argument = distribution + dims;
        *distribution = from_distribution(*distribution);
        *argument = from_distribution_argument(*argument);
    }
}

FRONT(int, MPI_Type_get_contents,
      (MPI_Datatype type, int n_integers, int n_addresses, int n_types, int integers[], MPI_Aint addresses[],
       MPI_Datatype types[]))
{
    static int (*call)(int, int, int, int, int *, MPI_Aint *, int *);
    find(&call, "MPI_Type_get_contents");
    int *mine = room(n_types, types != NULL), n, others[2], combiner;
    int code = call(to_datatype(type), n_integers, n_addresses, n_types, integers, addresses, mine);
    for (int i = 0; code == MPI_SUCCESS && mine && i < n_types; i++)
        types[i] = from_datatype(mine[i]);
    free(mine);
    if (code == MPI_SUCCESS && integers &&
        MPI_Type_get_envelope(type, &n, &others[0], &others[1], &combiner) == MPI_SUCCESS && n <= n_integers)
        contents_out(combiner, integers, n, 3 + integers[2]);
    return from_code(code);
}

#if MPI_VERSION >= 4
FRONT(int, MPI_Type_get_contents_c,
      (MPI_Datatype type, MPI_Count n_integers, MPI_Count n_addresses, MPI_Count n_counts, MPI_Count n_types,
       int integers[], MPI_Aint addresses[], MPI_Count counts[], MPI_Datatype types[]))
{
    static int (*call)(int, MPI_Count, MPI_Count, MPI_Count, MPI_Count, int *, MPI_Aint *, MPI_Count *,
                       int *);
    find(&call, "MPI_Type_get_contents_c");
    int *mine = room((int)n_types, types != NULL), combiner;
    MPI_Count n, others[3];
    int code = call(to_datatype(type), n_integers, n_addresses, n_counts, n_types, integers, addresses,
                    counts, mine);
    for (int i = 0; code == MPI_SUCCESS && mine && i < n_types; i++)
        types[i] = from_datatype(mine[i]);
    free(mine);
    if (code == MPI_SUCCESS && integers &&
        MPI_Type_get_envelope_c(type, &n, &others[0], &others[1], &others[2], &combiner) == MPI_SUCCESS &&
        n <= n_integers)
        contents_out(combiner, integers, n, 3); /* sizes are among the counts */
    return from_code(code);
}
#endif

FRONT(int, MPI_Pcontrol, (const int level, ...))
{
    static int (*call)(int, ...);
    find(&call, "MPI_Pcontrol");
    return from_code(call(level));
}

/* ROMIO, which MPICH has, knows none but its own. */
FRONT(int, MPI_Register_datarep,
      (const char *datarep, MPI_Datarep_conversion_function *read, MPI_Datarep_conversion_function *write,
       MPI_Datarep_extent_function *extent, void *extra))
{
    return MPI_ERR_UNSUPPORTED_DATAREP;
}

#if MPI_VERSION >= 4
FRONT(int, MPI_Register_datarep_c,
      (const char *datarep, MPI_Datarep_conversion_function_c *read, MPI_Datarep_conversion_function_c *write,
       MPI_Datarep_extent_function *extent, void *extra))
{
    return MPI_ERR_UNSUPPORTED_DATAREP;
}
#endif

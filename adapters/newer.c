/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of MPI 4.1 and 5.0 that need nothing of MPI itself, and the names of the others. */
#include "front.h"

/* ---- the interface (MPI-5.0, section 20.5) ---- */

#if MPI_VERSION >= 5 /* of mpi.h: the program may be of a later Open MPI */

FRONT(int, MPI_Abi_get_version, (int *major, int *minor))
{
    *major = MPI_ABI_VERSION;
    *minor = MPI_ABI_SUBVERSION;
    return MPI_SUCCESS;
}

FRONT(int, MPI_Abi_get_info, (MPI_Info * info))
{
    int code = MPI_Info_create(info);
    if (code == MPI_SUCCESS)
        code = MPI_Info_set(*info, "mpi_aint_size", "8");
    if (code == MPI_SUCCESS)
        code = MPI_Info_set(*info, "mpi_count_size", "8");
    return code == MPI_SUCCESS ? MPI_Info_set(*info, "mpi_offset_size", "8") : code;
}

/* No Fortran is known: programs of Fortran bring their own binding. */
FRONT(int, MPI_Abi_get_fortran_info, (MPI_Info * info))
{
    *info = from_info(MPICH_MPI_INFO_NULL);
    return MPI_SUCCESS;
}

FRONT(int, MPI_Abi_get_fortran_booleans, (int size, void *true_, void *false_, int *is_set))
{
    *is_set = 0;
    return MPI_SUCCESS;
}

FRONT(int, MPI_Abi_set_fortran_info, (MPI_Info info)) { return MPI_ERR_ABI; }
FRONT(int, MPI_Abi_set_fortran_booleans, (int size, void *true_, void *false_)) { return MPI_ERR_ABI; }
#endif

/* ---- statuses (MPI-4.1, section 3.2.5) ---- */

#define STATUS(field, FIELD)                                                   \
    FRONT(int, MPI_Status_get_##field, (const MPI_Status *status, int *field)) \
    {                                                                          \
        *field = status->MPI_##FIELD;                                          \
        return MPI_SUCCESS;                                                    \
    }                                                                          \
    FRONT(int, MPI_Status_set_##field, (MPI_Status * status, int field))       \
    {                                                                          \
        status->MPI_##FIELD = field;                                           \
        return MPI_SUCCESS;                                                    \
    }
STATUS(source, SOURCE)
STATUS(tag, TAG)
STATUS(error, ERROR)

FRONT(int, MPI_Status_set_elements_c, (MPI_Status * status, MPI_Datatype type, MPI_Count n))
{
    return MPI_Status_set_elements_x(status, type, n);
}

/* ---- handles as integers (MPI-5.0, section 20.4) ---- */

#define INTEGER(Type, name)                                                            \
    FRONT(int, MPI_##name##_toint, (Type handle)) { return MPI_##name##_c2f(handle); } \
    FRONT(Type, MPI_##name##_fromint, (int number)) { return MPI_##name##_f2c(number); }
INTEGER(MPI_Datatype, Type)
INTEGER(MPI_Comm, Comm)
INTEGER(MPI_Errhandler, Errhandler)
INTEGER(MPI_File, File)
INTEGER(MPI_Group, Group)
INTEGER(MPI_Info, Info)
INTEGER(MPI_Message, Message)
INTEGER(MPI_Op, Op)
INTEGER(MPI_Request, Request)
#if MPI_VERSION >= 4
INTEGER(MPI_Session, Session)
#endif
INTEGER(MPI_Win, Win)

/* ---- what is not there ---- */

/* Under other names in C, since mpi.h may declare them. */
#define MISSING(name)                                                                                   \
    __attribute__((visibility("default"))) void missing_##name(void) __asm__(#name);                    \
    __attribute__((alias(#name), visibility("default"))) void missing_P##name(void) __asm__("P" #name); \
    void missing_##name(void) { front_missing(#name, "MPICH", "function", __builtin_return_address(0)); }
MISSING(MPI_Buffer_flush)
MISSING(MPI_Buffer_iflush)
MISSING(MPI_Comm_attach_buffer)
MISSING(MPI_Comm_attach_buffer_c)
MISSING(MPI_Comm_detach_buffer)
MISSING(MPI_Comm_detach_buffer_c)
MISSING(MPI_Comm_flush_buffer)
MISSING(MPI_Comm_iflush_buffer)
MISSING(MPI_Get_hw_resource_info)
MISSING(MPI_Precv_init_c)
MISSING(MPI_Psend_init_c)
MISSING(MPI_Remove_error_class)
MISSING(MPI_Remove_error_code)
MISSING(MPI_Remove_error_string)
MISSING(MPI_Request_get_status_all)
MISSING(MPI_Request_get_status_any)
MISSING(MPI_Request_get_status_some)
MISSING(MPI_Session_attach_buffer)
MISSING(MPI_Session_attach_buffer_c)
MISSING(MPI_Session_detach_buffer)
MISSING(MPI_Session_detach_buffer_c)
MISSING(MPI_Session_flush_buffer)
MISSING(MPI_Session_iflush_buffer)
MISSING(MPI_Type_get_value_index)

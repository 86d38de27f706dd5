/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_T is Open MPI's own library's, which knows none of the objects that the program has, and would crash.
 * So there is no handle of a variable that belongs to one, as MPI allows (MPI-4.0, 15.3.6, 15.3.7 and
 * 15.3.10). */
#include "front.h"

#include <stddef.h>

FRONT(int, MPI_T_pvar_handle_alloc,
      (MPI_T_pvar_session session, int index, void *object, MPI_T_pvar_handle *handle, int *count))
{
    static __typeof__(&MPI_T_pvar_handle_alloc) call;
    front_find_own(&call, "MPI_T_pvar_handle_alloc");
    return object ? MPI_T_ERR_OUT_OF_HANDLES : call(session, index, object, handle, count);
}

FRONT(int, MPI_T_cvar_handle_alloc, (int index, void *object, MPI_T_cvar_handle *handle, int *count))
{
    static __typeof__(&MPI_T_cvar_handle_alloc) call;
    front_find_own(&call, "MPI_T_cvar_handle_alloc");
    return object ? MPI_T_ERR_OUT_OF_HANDLES : call(index, object, handle, count);
}

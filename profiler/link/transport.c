/* SPDX-License-Identifier: BSD-3-Clause */
#include "transport.h"

#include <string.h>

#include "progress.h"

static bool known = true;

void prof_transport_begin(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    PMPI_Get_library_version(text, &length);
    known = strstr(text, "ch4:ucx");
    if (!known)
        prof_progress_needed(+1);
}

bool prof_transport_is_known(void) { return known; }

int prof_transport_wait(MPI_Request *request, MPI_Status *status)
{
    if (known)
        return PMPI_Wait(request, status);
    int flag = 0, rc = MPI_SUCCESS;
    for (unsigned idle = 0; rc == MPI_SUCCESS && !flag; idle++) {
        rc = PMPI_Test(request, &flag, status);
        if (!flag)
            prof_progress_give_way(idle);
    }
    return rc;
}

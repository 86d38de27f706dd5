/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses that no MPI call has made (MPI-4.0, sections 3.2.5, 3.7.3 and 3.11). */
#include "status.h"

#include <stdbool.h>

/* An empty status, made once by MPI's own means. */
static const MPI_Status *template(void)
{
    static MPI_Status empty;
    static bool made;
    if (!made) {
        empty.MPI_TAG = MPI_ANY_TAG;
        PMPI_Status_set_elements_x(&empty, MPI_BYTE, 0);
        PMPI_Status_set_cancelled(&empty, 0);
        made = true;
    }
    return &empty;
}

static void set(MPI_Status *status, int source)
{
    prof_status_copy(status, template());
    if (status != MPI_STATUS_IGNORE)
        status->MPI_SOURCE = source;
}

void prof_status_empty(MPI_Status *status) { set(status, MPI_ANY_SOURCE); }

void prof_status_proc_null(MPI_Status *status) { set(status, MPI_PROC_NULL); }

void prof_status_found(MPI_Status *status, int source, int tag, MPI_Count bytes)
{
    set(status, source);
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_TAG = tag;
    PMPI_Status_set_elements_x(status, MPI_BYTE, bytes);
}

void prof_status_copy(MPI_Status *status, const MPI_Status *from)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    int error = status->MPI_ERROR;
    *status = *from;
    status->MPI_ERROR = error;
}

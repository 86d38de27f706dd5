/* SPDX-License-Identifier: BSD-3-Clause */
/* See cancels.h. */
#include "cancels.h"

#include <stdatomic.h>
#include <string.h>
#include <strings.h>

#include "imports.h"
#include "isp/call.h"

enum { UNKNOWN, NO, YES };

/* MPI_Cancel, PMPI_Cancel; mpi_cancel_, mpi_cancel_f08_ of Fortran. */
static void *look(const char *name, void *slot, void *found)
{
    const char *bare = *name == 'P' || *name == 'p' ? name + 1 : name;
    if (strncasecmp(bare, "MPI_Cancel", 10) == 0)
        *(int *)found = YES;
    return NULL;
}

/* MPI's libraries of other languages ask for it whatever the program does; so does this one. */
static int visit(struct dl_phdr_info *info, size_t size, void *found)
{
    struct prof_imports m;
    const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
    prof_imports_read(&m, info);
    bool ours = (uintptr_t)visit >= m.low && (uintptr_t)visit < m.high;
    if (!ours && strncmp(name, "libmpi", 6) != 0)
        prof_imports_lead(&m, look, found);
    return *(int *)found == YES;
}

uint16_t prof_cancels_flag(void)
{
    static atomic_int known = UNKNOWN;
    int is = atomic_load(&known);
    if (is == UNKNOWN) {
        is = NO;
        dl_iterate_phdr(visit, &is);
        atomic_store(&known, is);
    }
    return is == YES ? ISP_F_CANCELLABLE : 0;
}

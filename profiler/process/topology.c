/* SPDX-License-Identifier: BSD-3-Clause */
/* What hwloc looks at in MPI_Init: see topology.h. */
#include "topology.h"

#include <stdbool.h>
#include <stdlib.h>

#include "engine/prof.h"

static bool ours;

void prof_topology_begin(void)
{
    ours = prof_phase == PROF_BEFORE_INIT && !getenv("HWLOC_COMPONENTS") && !getenv("HWLOC_XMLFILE") &&
           !getenv("HWLOC_SYNTHETIC");
    if (ours)
        setenv("HWLOC_COMPONENTS", "-linuxio,-pci,-x86,-gl,-opencl,-cuda,-nvml,-rsmi,-levelzero", 1);
}

void prof_topology_end(void)
{
    if (ours)
        unsetenv("HWLOC_COMPONENTS");
    ours = false;
}

/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop.h"

#include "engine/prof.h"
#include "isp.h"
#include "prof_calls.h"

static __thread unsigned depth __attribute__((tls_model("initial-exec")));

bool prof_in_loop(void) { return depth > 0; }

int prof_Pcontrol(enum isp_fn fn, const void *site, const int level)
{
    if (!prof_enter_local(fn, site, true))
        return MPI_ERR_OTHER;
    if (level == ISP_LOOP_BEGIN)
        depth++;
    else if (level == ISP_LOOP_END && depth)
        depth--;
    return PMPI_Pcontrol(level);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pcontrol: by it the program marks loops (include/isp.h). */
#include "engine/prof.h"
#include "isp.h"
#include "link/loop.h"
#include "prof_calls.h"

int prof_Pcontrol(enum isp_fn fn, const void *site, const int level)
{
    if (!prof_enter_local(fn, site, true))
        return MPI_ERR_OTHER;
    if (level == ISP_LOOP_BEGIN)
        prof_loop_begin();
    else if (level == ISP_LOOP_END)
        prof_loop_end();
    return PMPI_Pcontrol(level);
}

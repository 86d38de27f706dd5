/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pcontrol: by it the program marks loops, and what does not matter (include/isp.h). */
#include "engine/prof.h"
#include "isp.h"
#include "link/loop.h"
#include "outside/ignored.h"
#include "prof_calls.h"

/* The arguments are there, and can be read, for these levels only; of a program in Fortran that gives none
 * they are anything. */
static void mark(int level, va_list rest)
{
    const void *start = va_arg(rest, const void *);
    size_t bytes = va_arg(rest, size_t);
    if (level == ISP_IGNORE)
        prof_ignored_mark(start, bytes);
    else
        prof_ignored_unmark(start, bytes);
}

int prof_Pcontrol(enum isp_fn fn, const void *site, const int level, va_list rest)
{
    if (!prof_enter_local(fn, site, true))
        return MPI_ERR_OTHER;
    if (level == ISP_LOOP_BEGIN)
        prof_loop_begin();
    else if (level == ISP_LOOP_END)
        prof_loop_end();
    else if (level == ISP_IGNORE || level == ISP_UNIGNORE)
        mark(level, rest);
    return PMPI_Pcontrol(level);
}

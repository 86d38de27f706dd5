/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tools between the program and MPI: functions named MPI_X that are neither isp's nor MPICH's, in the
 * program or in a library. What they and their helpers call was called for the program's call of MPI_X,
 * which is the one to name.
 */
#ifndef PROF_TOOLS_H
#define PROF_TOOLS_H

#include <stdint.h>

enum {
    PROF_TOOL_FUNCTION = 1, /* the address is in a function MPI_X */
    PROF_TOOL_MODULE = 2,   /* its module has such functions */
};

/* PROF_TOOL_..., or 0. Answers are kept. */
unsigned prof_tool_kind(uintptr_t address);

#endif

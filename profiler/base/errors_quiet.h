/* SPDX-License-Identifier: BSD-3-Clause */
/* While isp asks MPI something that may be wrong: the thread is then quiet, the handlers of engine/errors.c
 * do nothing, and who asked looks at the code. */
#ifndef PROF_ERRORS_QUIET_H
#define PROF_ERRORS_QUIET_H

#include <stdbool.h>

void prof_errors_quiet(bool quiet);
bool prof_errors_are_quiet(void);

#endif

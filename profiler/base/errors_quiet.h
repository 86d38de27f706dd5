/* SPDX-License-Identifier: BSD-3-Clause */
/* While isp asks MPI something that may be wrong: the thread is then quiet, the handlers of engine/errors.c
 * do nothing, and who asked looks at the code: what the call has returned, or the handler was given, since
 * from MPICH 5 on a call returns MPI_SUCCESS when a handler has. */
#ifndef PROF_ERRORS_QUIET_H
#define PROF_ERRORS_QUIET_H

#include <stdbool.h>

void prof_errors_quiet(bool quiet);
bool prof_errors_are_quiet(void);
/* Of a handler: whether the thread is quiet. */
bool prof_errors_hear(int code);
/* What the last call has come to, which has returned rc. */
int prof_errors_heard(int rc);

#endif

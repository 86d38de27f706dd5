/* SPDX-License-Identifier: BSD-3-Clause */
/* What may still change what the program sees while no call of MPI does. */
#ifndef PROF_ALIVE_H
#define PROF_ALIVE_H

#include <stdbool.h>

/* The program has child processes that it has not waited for. */
bool prof_alive_children(void);
/* ... or timers, pipes, sockets or locks of files, or threads that do not sleep until it wakes them. */
bool prof_alive_any(void);

#endif

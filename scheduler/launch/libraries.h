/* SPDX-License-Identifier: BSD-3-Clause */
/* isp's own libraries for ranks, where isp is installed or built. */
#ifndef SCHED_LIBRARIES_H
#define SCHED_LIBRARIES_H

#include "mpi.h"

/* The path of libisp.so, or NULL. Caller frees. */
char *sched_launch_library(void);

/* A library of isp's beside libisp.so; NULL: it is not there. Caller frees. */
char *sched_library_beside(const char *library, const char *name);

/* The library that is preloaded before libisp.so for programs of another MPI (NULL: there is none); NULL: it
 * is not there. Caller frees. */
char *sched_launch_front(const struct sched_mpi *mpi);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* MPICH's launcher. Where several implementations of MPI are installed, `mpiexec` may be another one's. */
#ifndef SCHED_HYDRA_H
#define SCHED_HYDRA_H

#include <stdbool.h>

/* What to call it: "mpiexec", unless that is Open MPI's and MPICH's is there under its other name. */
const char *sched_hydra_name(void);

/* Whether the launcher of this name is Open MPI's. */
bool sched_hydra_is_open_mpis(const char *name);

#endif

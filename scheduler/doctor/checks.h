/* SPDX-License-Identifier: BSD-3-Clause */
/* The checks of `isp doctor`, and how they tell what they found. */
#ifndef SCHED_DOCTOR_CHECKS_H
#define SCHED_DOCTOR_CHECKS_H

#include <stdbool.h>

enum sched_health {
    SCHED_HEALTH_OK,
    SCHED_HEALTH_WARNING, /* isp works, with less than it could */
    SCHED_HEALTH_PROBLEM,
};

struct sched_doctor;

/* One line: what was looked at, what was found, and, unless that is well, what to do. `found` is freed. */
void sched_doctor_say(struct sched_doctor *doctor, enum sched_health health, const char *what, char *found,
                      const char *advice);

/* MPICH, its launcher, and a run of an MPI program under isp. */
void sched_doctor_mpi(struct sched_doctor *doctor);
/* What sched_doctor_mpi runs: this process, with libisp.so preloaded, is a rank. The exit code. */
int sched_doctor_rank(void);
/* What the kernel, its limits and the file system allow. */
void sched_doctor_machine(struct sched_doctor *doctor);
/* Manual and completion. */
void sched_doctor_installation(struct sched_doctor *doctor);
/* A program of the user. */
void sched_doctor_program(struct sched_doctor *doctor, const char *name);

#endif

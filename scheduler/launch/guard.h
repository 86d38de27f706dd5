/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The guard: a small process between isp and mpiexec, one per world, that outlives both. It is the
 * subreaper of everything that the world starts, so nothing can get out of its reach on this host.
 *
 * isp and the guard talk over a SEQPACKET socket, one byte of kind and then the rest:
 *
 *   guard -> isp   D        the private directory has been made
 *                  F text   it cannot go on: why
 *                  S int    mpiexec ended by itself, with this wait status
 *                  L text   a process of the world that it could not end, in words
 *                  (EOF)    everything else is dead, and removed
 *   isp -> guard   G link \0 token    start mpiexec
 *                  (EOF)    kill everything: isp asks for it, or has died
 */
#ifndef SCHED_GUARD_H
#define SCHED_GUARD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#define SCHED_GUARD_MESSAGE_MAX 4096

struct sched_guard_job {
    char **argv;        /* the launcher with all its arguments */
    char **environment; /* NAME=VALUE strings to add, NULL-terminated */
    const char *dir;    /* the private directory, to be made */
    int in, out, err;   /* the launcher's standard streams */
    sigset_t mask;      /* signal mask and ignored signals that the program shall inherit */
    sigset_t ignored;
    bool asks; /* before it is killed the launcher is asked to end (SIGTERM), and given some time: it may have
                  started something where the guard does not reach, as Slurm's srun does */
};

/* Forks the guard. Sets *fd to isp's end of the socket (blocking, close-on-exec). -1: errno says why. */
pid_t sched_guard_start(const struct sched_guard_job *job, int *fd);

/* The guard was killed by somebody: kills what carries this token in its environment, and removes
 * the private directory. */
void sched_guard_stand_in(const char *token, const char *dir);

#endif

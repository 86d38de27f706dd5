/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where this process and each of its threads are: which part of its life the rank is in, how many wrappers
 * the thread is inside of, and the call that it is in. Everything else asks this; engine/enter.c and
 * process/lifecycle.c set it.
 */
#ifndef PROF_PHASE_H
#define PROF_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/functions.h"

enum prof_phase {
    PROF_OFF,         /* not a rank under isp: every wrapper is its PMPI function */
    PROF_BEFORE_INIT, /* MPI_Init has not returned yet */
    PROF_RUNNING,
    PROF_FINALIZED, /* MPI_Finalize has released this rank */
};

extern enum prof_phase prof_phase;
extern bool prof_finalizing; /* MPI_Finalize has matched */
/* How many wrappers this thread is inside of: callbacks of the program run inside PMPI calls. */
extern __thread int prof_depth __attribute__((tls_model("initial-exec")));

/* The MPI call that the thread is in, or was in last: what an MPI error belongs to. */
struct prof_current {
    enum isp_fn fn;
    const void *site;
    uint64_t guards, perhaps; /* mutexes that the thread held when it called (mutexes.h) */
};
extern __thread struct prof_current prof_current __attribute__((tls_model("initial-exec")));

static inline bool prof_passthrough(void) { return prof_phase == PROF_OFF || prof_depth > 0; }

/* This process is the rank that it was when it started, and not a child of it. */
bool prof_is_rank(void);
/* It acts as a rank from here on; before that it was none, or its parent was this one. */
void prof_take_rank(void);

/* In a process that acts as a rank, and in its children, the id of the rank's process: whoever finds another
 * one there is a child. */
#define PROF_ENV_PID "ISP_PID"

#endif

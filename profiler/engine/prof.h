/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The profiler's side of a rank: libisp.so, preloaded into the user's program. Of the laws
 * in docs/ARCHITECTURE.md it keeps:
 *
 *   1. Quiescence. What the scheduler tells a rank to issue is issued and completed inside MPI
 *      before the rank waits for the scheduler again: first everything nonblocking is issued, then
 *      everything is completed (fence.c). At call time nothing is given to MPI.
 *   2. Inside a wrapper only PMPI_ calls; prof_depth guards against re-entrance; nothing is written
 *      to the program's stdout or stderr; errno and signals are as they were, and so is the environment,
 *      but for ISP_PID (base/phase.h).
 *   3. A wildcard is never given to MPI: sources and tags come from the scheduler (fence.c).
 *   5. An MPI call that is not modelled is refused by name (prof_unsupported).
 *
 * This header is the contract between the generated wrappers and the hand-written calls. The
 * wrapper of MPI_X does, by the class of X:
 *
 *   call        if (prof_passthrough()) return PMPI_X(...); return prof_X(fn, site, ...);
 *   local       prof_enter_local (of a window: prof_enter_access), then PMPI_X
 *   collective  prof_collective_begin, PMPI_X, prof_collective_end
 *   constructor prof_constructor_begin, PMPI_X, prof_constructor_end
 *   unmodelled  prof_unsupported
 *
 * `site` is the return address of the wrapper.
 */
#ifndef PROF_H
#define PROF_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/phase.h"
#include "engine/level.h"
#include "isp/functions.h"
#include "kept/forms.h"
#include "link/reach.h"
#include "watch/watching.h"

/* Start of a local function: reports a call before MPI_Init or after MPI_Finalize unless the
 * standard allows it at any time. Always true: MPI itself answers a call that is out of place. */
static inline bool prof_enter_local(enum isp_fn fn, const void *site, bool anytime);
bool prof_enter_local_any(enum isp_fn fn, const void *site,
                          bool anytime); /* ... not the ordinary case only */
/* At the end of MPI_Wtime, whose result it returns. Where states are compared, what is left below the
 * program's frames, and would be in them later, must not be another time each time. */
double prof_leave_clock(double time);

/* The same for an access to a window: the rank may be polling its memory (polling.h). */
bool prof_enter_access(enum isp_fn fn, const void *site);

/* Start and end of a call that steers the run. False: the call is out of place (and was
 * reported); then call the PMPI function, without prof_leave. prof_leave returns rc. */
bool prof_enter(enum isp_fn fn, const void *site);
int prof_leave(int rc);

/* What errno will be when the present call returns. */
int prof_saved_errno(void);

/* Around a function of the program that is called in a wrapper: it runs as if the wrapper had ended, and need
 * not return. In MPI_Finalize nothing changes, since the scheduler has said goodbye; nor with
 * MPI_THREAD_MULTIPLE, where MPICH holds its own lock, and another thread that were let in would wait for
 * it. */
struct prof_outside {
    int depth, error;
    struct prof_current current;
};
struct prof_outside prof_outside_begin(void);
void prof_outside_end(const struct prof_outside *outside);

struct prof_collective {
    int error;
};

/* A blocking collective that creates nothing. root: as the program named it, or PROF_NO_ROOT; op:
 * MPI_OP_NULL if it reduces nothing. Waits until the collective matches. True: call PMPI_X, then
 * prof_collective_end. False: return collective->error. */
bool prof_collective_begin(struct prof_collective *collective, enum isp_fn fn, const void *site,
                           MPI_Comm comm, int root, MPI_Op op);
/* The same on a window, and on a file. */
bool prof_win_collective_begin(struct prof_collective *collective, enum isp_fn fn, const void *site,
                               MPI_Win win);
bool prof_file_collective_begin(struct prof_collective *collective, enum isp_fn fn, const void *site,
                                MPI_File fh);
/* What the call is about to read or write of the file, its first argument. */
void prof_file_tell(enum isp_fn fn, const void *site, const int64_t *arguments);
/* Their common start. False: MPI itself answers. */
bool prof_collective_enter(struct prof_collective *collective, enum isp_fn fn, const void *site);
int prof_collective_end(struct prof_collective *collective, int rc);

/* Collectives that have a nonblocking form. The arguments are changed where the program has freed a
 * handle. */
int prof_nonblocking(const struct prof_form *form, const void *site, void *arguments, MPI_Request *request);
/* True: the call is over, with collective->error. False: call MPI, then prof_collective_end. */
bool prof_blocking(struct prof_collective *collective, const struct prof_form *form, enum isp_fn fn,
                   const void *site, void *arguments);
bool prof_persistent_collective(struct prof_collective *collective, const struct prof_form *form,
                                enum isp_fn fn, const void *site, void *arguments, MPI_Request *request);

/* A collective that makes a communicator: begin waits until all members of comm are there, end makes what
 * PMPI_X has made known. *comm is replaced by the null handle if the program has freed it. */
struct prof_constructor {
    struct prof_comm *parent;
    bool entered;
};
void prof_constructor_begin(struct prof_constructor *constructor, enum isp_fn fn, const void *site,
                            MPI_Comm *comm);
int prof_constructor_end(struct prof_constructor *constructor, int rc, MPI_Comm *newcomm);

static inline bool prof_enter_local(enum isp_fn fn, const void *site, bool anytime)
{
    bool ordinary = prof_phase == PROF_RUNNING && prof_level_main_only && prof_level_is_main();
    if (!ordinary || !prof_watch_rests() || fn == ISP_FN_MPI_Wtime)
        return prof_enter_local_any(fn, site, anytime);
    prof_current = (struct prof_current){.fn = fn, .site = site};
    return true;
}

#endif

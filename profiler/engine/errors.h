/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's own errors. Where the program has not set an error handler, ours stands in for
 * MPI_ERRORS_ARE_FATAL: it tells the scheduler and then aborts, as MPI would.
 */
#ifndef PROF_ERRORS_H
#define PROF_ERRORS_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/errors_quiet.h"
#include "isp/functions.h"
#include "isp/rules.h"

struct prof_finding; /* finding.h */

/* After PMPI_Init: installs our handler. */
void prof_errors_init(void);
/* A handler of the program's is about to be called. False: it must not be, the caller looks at the code. */
bool prof_errors_begin_handler(int code);
/* Gives an error to the handler of the communicator, as the standard says; returns the code. */
int prof_error_raise(MPI_Comm comm, int code);
/* The same, where our handler is to tell this finding (its place is the call that the thread is in). */
int prof_error_raise_finding(const struct prof_finding *finding, MPI_Comm comm, int code);
/* The same, with rule and text alone. */
int prof_error_raise_as(enum isp_rule rule, const char *text, MPI_Comm comm, int code);

/* As prof_error_raise_finding, with the handler of a window. */
int prof_error_raise_window(const struct prof_finding *finding, MPI_Win win, int code);

/* What a call is about: whose error handler is concerned. */
struct prof_error_object {
    MPI_Comm comm; /* if it is neither a window nor a file */
    MPI_Win win;   /* or MPI_WIN_NULL */
    MPI_File file; /* or MPI_FILE_NULL */
};

/*
 * The profiler has found an error in the call that the rank is in, and MPI is not asked. Tells it. If the
 * program has not asked for error codes the rank ends here, as with MPI_ERRORS_ARE_FATAL; if it has, its
 * handler is called. With --on-error=continue neither happens. Returns the code.
 */
int prof_error_found(const struct prof_finding *finding, const struct prof_error_object *object, int code);

/* MPI_ERRORS_ARE_FATAL or MPI_ERRORS_ABORT: one of ours stands in for it. */
bool prof_errors_is_default(MPI_Errhandler handler);
/* The program is given this handler of an object (MPI_X_get_errhandler): where it is one of ours, the one
 * that it stands in for. */
void prof_errors_got(bool ours, MPI_Errhandler *handler, enum isp_fn fn, const void *site);
/* What takes the place of the default handlers. */
MPI_Errhandler prof_errors_handler(MPI_Errhandler handler);

/* What MPI_ERRORS_ARE_FATAL does, for the handlers that stand in for it: tells the scheduler, then aborts. */
void prof_error_fatal(int code);

/*
 * The same for an object whose handler the program has never set. MPICH gives its errors to the handler of
 * MPI_COMM_WORLD, also where that was set after the object was made.
 */
void prof_error_unset(int code);

/* Which handler MPI_COMM_WORLD has, as far as isp knows. */
struct prof_hash;
void prof_errors_hash(struct prof_hash *hash);

struct prof_comm;
/* An error of an operation belongs to the call that completes it for the program: no handler of the program's
 * is called between these two. */
MPI_Errhandler prof_errors_silence(const struct prof_comm *c);
void prof_errors_unsilence(const struct prof_comm *c, MPI_Errhandler handler);

#endif

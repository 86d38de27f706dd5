/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Error handlers of the program. MPI calls them in the middle of a wrapper, and they may call MPI themselves,
 * or leave by longjmp and never come back. So MPI gets a function of ours, one for each of theirs, that ends
 * the wrapper first and goes on with it when the handler returns.
 *
 * Ours passes on what it gets without looking at it: handlers in Fortran and C++ get other arguments than
 * those in C.
 */
#ifndef PROF_CALLBACKS_H
#define PROF_CALLBACKS_H

/* Any of MPI_Comm_errhandler_function, MPI_Win_..., MPI_File_..., MPI_Session_... */
typedef void prof_handler(void *object, int *code, ...);

/* What to give MPI in the place of the program's function: itself, if there are too many. */
prof_handler *prof_callback_handler(prof_handler *function);

#endif

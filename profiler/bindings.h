/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran and C++ programs reach the C functions of MPI through a library of MPICH's, libmpichfort or libmpichcxx. Two
 * things are mended here, so that such programs are seen like those in C:
 *
 *   - mpi_f08 calls PMPI_X, not MPI_X, wherever no buffer is passed (MPI_Wait, MPI_Barrier, even MPI_Init): its calls
 *     are led to the wrappers;
 *   - the address from which a wrapper was called lies in that library: the call site is the caller of the outermost
 *     function of the binding.
 *
 * A program in C has neither library, and pays one test per call.
 *
 * With --stacks a site is the whole stack above the binding (stacks.h).
 */
#ifndef PROF_BINDINGS_H
#define PROF_BINDINGS_H

#include <stdbool.h>

/* A binding is loaded, or sites are stacks: the return address is not all there is to know. */
extern bool prof_bindings_loaded;

/* From now on sites are stacks (stacks.h), if the stack can be unwound. */
void prof_bindings_take_stacks(void);

/* Looks for bindings among the loaded objects, and leads their calls to the wrappers. */
void prof_bindings_refresh(void);

/* The address lies in a frame of a binding, through which the program has made the call that the thread is in (mpi_f08 gets
 * requests in variables of its own), or may do so: C++'s binding is inline. */
bool prof_bindings_is_temporary(const void *address);

/* Where the program called the MPI function: `address` is the return address of the wrapper, which is below the
 * caller on this stack. */
const void *prof_bindings_caller(const void *address);

static inline const void *prof_call_site(const void *address)
{
    return prof_bindings_loaded ? prof_bindings_caller(address) : address;
}

/* This is Fortran's MPI_IN_PLACE, which a binding has passed on where it is not allowed. */
bool prof_bindings_in_place(const void *buffer);

#endif

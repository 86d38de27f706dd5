/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fortran and C++ programs reach the C functions of MPI through a library of MPICH's, libmpichfort or
 * libmpichcxx; and a program may have a tool between itself and MPI (entries/tools.h). The address from which
 * a wrapper was called lies there: the call site is the caller of the outermost function of the binding, or
 * of the tool.
 *
 * A program in C that has none of these, and calls no PMPI_X, pays one test per call.
 *
 * With --stacks a site is the whole stack above the binding (stacks.h).
 */
#ifndef PROF_BINDINGS_H
#define PROF_BINDINGS_H

#include <stdbool.h>

/* A binding is loaded, PMPI_X has been called (gate/entries.S sets it), or sites are stacks: the return
 * address is not all there is to know. */
extern bool prof_bindings_loaded;

/* From now on sites are stacks (stacks.h), if the stack can be unwound. */
void prof_bindings_take_stacks(void);

/* Looks for bindings among the loaded objects. */
void prof_bindings_refresh(void);

/* The address lies in a frame of a binding, through which the program has made the call that the thread is in
 * (mpi_f08 gets requests in variables of its own), or may do so: C++'s binding is inline. */
bool prof_bindings_is_temporary(const void *address);

/* Where the program called the MPI function: `address` is the return address of the wrapper, which is below
 * the caller on this stack. */
const void *prof_bindings_caller(const void *address);

static inline const void *prof_call_site(const void *address)
{
    return prof_bindings_loaded ? prof_bindings_caller(address) : address;
}

/* This is Fortran's MPI_IN_PLACE, which a binding has passed on where it is not allowed. */
bool prof_bindings_in_place(const void *buffer);

#endif

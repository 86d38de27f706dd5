/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In which order MPI_Startall starts its requests: some arbitrary one (MPI-4.0, section 3.9). That matters
 * between sends with one tag to one rank, whose messages overtake each other so, and between receives that
 * accept the same message. There the order is a choice of isp's: a wait for any of as many operations as
 * there are requests, all of which are complete.
 */
#ifndef PROF_STARTALL_H
#define PROF_STARTALL_H

#include <mpi.h>

/* Fills in order[0..n-1]: indices of requests that are all persistent and known. Receives come first, so that
 * no ready send that answers another of these requests comes too early. */
void prof_startall_order(int n, const MPI_Request requests[], int order[]);

#endif

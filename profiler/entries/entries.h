/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the names of MPI lead (entries.S). The program may define MPI_X itself and call PMPI_X, call PMPI_X
 * directly, or do so by way of a tool: a library with MPI_X of its own, preloaded or linked before MPI. All
 * of these reach the wrapper as PMPI_X. In a program that was linked with MPICH's archive by isp-cc there
 * is nothing to look up, and none of this.
 */
#ifndef PROF_ENTRIES_H
#define PROF_ENTRIES_H

#include <stdbool.h>

struct prof_entry {
    const char *name;
    void *wrapper; /* PMPI_X, as the program sees it: between it and the program may be a tool */
    void *direct;  /* the same, where there is none */
    void *entry;   /* where MPI_X goes */
    void *real;    /* MPICH's */
};
/* Of all functions: the section isp_entries, which gate/entries.S fills. */
extern struct prof_entry __start_isp_entries[] __attribute__((visibility("hidden")));
extern struct prof_entry __stop_isp_entries[] __attribute__((visibility("hidden")));
#define prof_entries __start_isp_entries /* of another name in assembly GCC forgets that it is hidden */
#define prof_entries_end __stop_isp_entries

/* Fills all entries, the first time. */
void prof_entries_bind(void);
/* A module is about to be opened. If the program does it, a tool or a binding may come with it. */
void prof_entries_opens(void);

/* The address lies in the library of MPI itself. */
bool prof_entries_is_mpis(const void *address);
/* In a program of another MPI: the address lies in its library, of which the front (adapters/) takes the
 * place; the front's function of this name; the address lies in the front, which asks for either library's
 * own. */
bool prof_entries_is_others(const void *address);
void *prof_entries_front(const char *name);
bool prof_entries_is_front(const void *address);
/* What leads the program to the wrapper of a function of this name (MPI_X or PMPI_X); NULL: there is none. */
void *prof_entries_wrapper(const char *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI_Init asks hwloc for the topology of the machine, with its PCI devices and disks. Reading the
 * configuration space of each device takes as long as all the rest of MPI_Init on a virtual machine, and
 * half of it elsewhere; looking at each core binds the process to one after the other, which on busy cores
 * waits for each; and if hwloc's plugins are installed, it tries to connect to ten displays, and starts
 * OpenCL. MPICH uses none of that here: what it looks for is the network card that is next to a core.
 *
 * So hwloc is told, for the time of MPI_Init only, to leave all this out. Where the user has told hwloc
 * anything, that is left alone.
 */
#ifndef PROF_TOPOLOGY_H
#define PROF_TOPOLOGY_H

/* Around PMPI_Init; the environment is the same after it. */
void prof_topology_begin(void);
void prof_topology_end(void);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses of two ranks to common bytes of a file, of which one writes, and which nothing orders: MPI does
 * them in any order, and in nonatomic mode what is read or left is undefined (MPI-4.0, section 14.6.1). isp
 * runs one order, and the verdict says so.
 *
 * What orders them are messages and collectives (clocks.h), but not collectives on the file, other than
 * opening and closing it: reading and writing need not synchronize, nor need MPI_File_sync (the example of
 * section 14.6.10 has a barrier between two of them). That a rank sees by a window how far another one is, or
 * keeps it out by a lock, is not known here.
 */
#ifndef SCHED_RMA_FILE_ORDER_H
#define SCHED_RMA_FILE_ORDER_H

#include "run/run.h"

struct isp_file;
struct isp_file_access;
struct sched_file_order;

struct sched_file_order *sched_file_order_create(int ranks, bool buffered);
void sched_file_order_destroy(struct sched_file_order *order);
struct sched_file_order *sched_file_order_copy(const struct sched_file_order *order);
/* Makes it what the copy is. */
void sched_file_order_restore(struct sched_file_order *order, const struct sched_file_order *saved);

/* It listens to the calls and match sets of the run. */
extern const struct sched_listener sched_file_order_listener;
/* Between these, in the order of the run: an access, with its global site. */
void sched_file_order_access(struct sched_file_order *order, int rank, const struct isp_file_access *what);
/* Likewise what the program does to a file by itself (name_order.h). */
void sched_file_order_take(struct sched_file_order *order, int rank, const struct isp_file *file);
/* Whether two ranks have mapped the same memory. */
bool sched_file_order_shares(const struct sched_file_order *order);
/* Whether a rank has waited for a file. */
bool sched_file_order_waited(const struct sched_file_order *order);
/* Two accesses of which one order was run. NULL: there are none. Caller frees. */
char *sched_file_order_unexplored(const struct sched_file_order *order, const struct sched_run *run);

#endif

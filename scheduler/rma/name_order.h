/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that one rank looks at and another one changes by the functions of the C library (ISP_MSG_FILE),
 * where nothing orders the two: which comes first is left to time, isp runs one order, and the verdict says
 * so. Two that only write learn nothing from each other. What MPI does to the same file counts against these;
 * MPI against MPI is compared by bytes (file_order.h). A rank that looks in vain, calls nothing, looks again
 * and finds the file has waited for it: that is an order.
 *
 * To open a file is to read it, or to write it, at that moment: what is read and written later through what
 * is open is not told. And which ranks have the same memory: loads and stores are not told at all.
 */
#ifndef SCHED_RMA_NAME_ORDER_H
#define SCHED_RMA_NAME_ORDER_H

#include "clocks.h"
#include "run/run.h"

struct isp_file;
struct isp_file_access;
struct sched_name_order;

struct sched_name_order *sched_name_order_create(int ranks);
void sched_name_order_destroy(struct sched_name_order *order);
struct sched_name_order *sched_name_order_copy(const struct sched_name_order *order);

/* The rank's last call before what comes next. */
void sched_name_order_record(struct sched_name_order *order, int rank, const struct isp_call *call);
/* known: what the rank knows of the others, NULL: no clock knows that; at: its own time, when it is over. */
void sched_name_order_take(struct sched_name_order *order, int rank, const struct isp_file *file,
                           const uint32_t *known, uint32_t at);
void sched_name_order_take_access(struct sched_name_order *order, int rank,
                                  const struct isp_file_access *access, const uint32_t *known, uint32_t at);
/* Whether two ranks have mapped the same memory. */
bool sched_name_order_shares(const struct sched_name_order *order);
/* Whether a rank has waited for a file: that what it looked for in vain led nowhere else is taken for
 * granted. */
bool sched_name_order_waited(const struct sched_name_order *order);
/* A look and a change of which one order was run. NULL: there are none. Caller frees. */
char *sched_name_order_unexplored(const struct sched_name_order *order, const struct sched_run *run);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Operations of a rank that goes ahead: whether MPI has completed them, and what isp is told of that. All
 * questions let MPI work.
 */
#ifndef PROF_AHEAD_OPERATIONS_H
#define PROF_AHEAD_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "operations.h"

/* isp is told which message the transition with this index took ... asked: struct isp_outcome. */
void prof_ahead_tell_message(uint64_t index, const struct prof_comm *c, const MPI_Status *status, bool asked);
/* ... or which positions of its list completed. */
void prof_ahead_tell_positions(uint64_t index, const uint32_t *list, uint32_t n, bool asked);

/* A receive is inside MPI, of which isp has to be told what it gets. */
void prof_ahead_open(struct prof_op *op);
/* The program does not ask for it any more: it is forgotten when MPI is done with it. */
void prof_ahead_leave(struct prof_op *op);
/* MPI is done with it. The slot may be free afterwards. */
void prof_ahead_finish(struct prof_op *op);

bool prof_ahead_has_come(MPI_Request *request, MPI_Status *status, int *error);
/* Whether it is complete inside MPI. The slot may be free then. */
bool prof_ahead_is_done(struct prof_op *op);
/* Whether the program may be told that it is complete. */
bool prof_ahead_is_complete(struct prof_op *op);

#endif

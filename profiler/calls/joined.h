/* SPDX-License-Identifier: BSD-3-Clause */
/* A send and a receive with one request (MPI_Isendrecv). */
#ifndef PROF_JOINED_H
#define PROF_JOINED_H

#include "engine/operations.h"

/* Both parts are complete: fills in the status and error of the whole. */
void prof_join_settle(struct prof_op *both);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffers of pending operations, watched: a store to that of a send, and any access to that of a receive, between the call that
 * posts it and the one that completes it for the program (MPI-4.0, section 3.7.2).
 *
 * A program may post millions of operations, and a debug register costs a system call: without --memory=watch every
 * operation of a call site is watched for the first FIRST times, and then one in OFTEN.
 */
#ifndef PROF_WATCH_PENDING_H
#define PROF_WATCH_PENDING_H

#include "operations.h"

void prof_watch_pending_begin(struct prof_op *op);
/* The program may use the buffer again. An access that was seen meanwhile is told now (true): of a request that is never
 * completed that alone is told, since the buffer may be long gone. */
bool prof_watch_pending_end(struct prof_op *op);

#endif

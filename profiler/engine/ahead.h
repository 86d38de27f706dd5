/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that goes ahead (settings.ahead; docs/decentralized.md): it gives each call to MPI when it is made,
 * wildcards too, and does not wait for isp. It makes the same records, and tells what those calls came to
 * that MPI could have answered otherwise (isp/outcome.h); isp follows behind. Only where poe must decide (a
 * poll that MPI denies, MPI_Buffer_detach, MPI_Finalize) does the rank wait for its answer, and lets MPI work
 * meanwhile.
 *
 * In a run that is made again with other decisions, those that it begins with are forced: a receive is given
 * to MPI with the source and tag of its message, a wait is over with its requests, and isp answers all polls.
 */
#ifndef PROF_AHEAD_H
#define PROF_AHEAD_H

#include <stdbool.h>

#include "isp/call.h"
#include "operations.h"

/* The link is open. Nothing, if this rank does not go ahead; like all below but prof_ahead_is_on. */
void prof_ahead_begin(void);
bool prof_ahead_is_on(void);

/* The rank does what cannot be done ahead: isp is told, and makes the run again with its scheduler. Does not
 * return if the rank goes ahead. */
void prof_ahead_refuse(const char *what);

/* All ranks of `parent` are about to make a window or file with this number ... */
void prof_ahead_meeting(int32_t number, const struct prof_comm *parent);
/* ... which is no more. */
void prof_ahead_no_meeting(int32_t number);

/* A fence is about to be recorded. If it is a poll that MPI says yes to, so it is, and isp is told. */
void prof_ahead_poll(const struct isp_call *call);
/* A record is about to be told; it is refused if it cannot be done ahead. */
void prof_ahead_record(struct isp_call *call);
/* The rank waits without this file: what MPI has completed meanwhile is told. */
void prof_ahead_look(void);
/* It is told: its operation is given to MPI. */
void prof_ahead_issue(struct prof_op *op, const struct isp_call *call);
/* The program has no request for it any more: it goes on by itself. */
void prof_ahead_let_go(struct prof_op *op);
/* ... it is a fence: does it, and says what came out. */
void prof_ahead_meet(const struct isp_call *call, struct isp_result *result);
/* ... which isp is to answer: waits until something has come from it. If it is a poll, and MPI says yes
 * meanwhile, isp is told. */
void prof_ahead_await_answer(const struct isp_call *call);
/* ... and has answered. */
void prof_ahead_obey(const struct isp_call *call, struct isp_result *result);

#endif

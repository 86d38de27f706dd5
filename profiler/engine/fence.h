/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Telling the scheduler about a call, and waiting for its go-ahead. While a rank waits it does, as one
 * batch per GO frame, what the scheduler wants issued inside MPI: first everything nonblocking is
 * issued, then everything is completed (law 1).
 */
#ifndef PROF_FENCE_H
#define PROF_FENCE_H

#include "base/hash.h"
#include "isp/call.h"

/* Appends a record of the current MPI call (fn and site are filled in); no answer is wanted. */
void prof_record(struct isp_call *call);
/* How many so far. */
uint64_t prof_records(void);
/* The same for a record that the rank waits at, with its answer. result->list is valid until the next
 * fence. */
void prof_fence(struct isp_call *call, struct isp_result *result);

/* What the fences of the present call have said so far; it begins anew. */
struct prof_hash prof_fence_answers(void);
void prof_fence_forget_answers(void);

/* At the end of a call: with several threads, what it has recorded takes its place among their calls
 * (ISP_OP_ADMIT), if nothing in it has waited for that. */
void prof_fence_admit(void);

/* Does what the next frame wants; it releases nothing, since no thread of the rank is in a fence. */
void prof_fence_act(void);

#endif

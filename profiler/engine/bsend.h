/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's buffer for MPI_Bsend (MPI-4.0, section 3.6). The data of a buffered send is in a copy of
 * ours; of the attached buffer only the size counts: a message takes its packed size and MPI_BSEND_OVERHEAD.
 * Here it is looked at whether it fits at all; what else may be in the buffer isp knows (poe/attached.h),
 * except if the rank may have threads: then it is what this rank has not heard has matched.
 */
#ifndef PROF_BSEND_H
#define PROF_BSEND_H

#include "operations.h"

/* For the record of a buffered send. */
void prof_bsend_tell(struct isp_call *call, const struct prof_envelope *e);
/* False: the message does not fit, which prof_bsend_refuse must say. */
bool prof_bsend_fits(const struct prof_envelope *e);
/* Raises the error; returns its code. */
int prof_bsend_refuse(const struct prof_envelope *e);
void prof_bsend_reserve(struct prof_op *op, const struct prof_envelope *e);
/* What is known of the attached buffer. */
void prof_bsend_hash(struct prof_hash *hash);
/* The operation is done: of any kind. */
void prof_bsend_release(struct prof_op *op);

#endif

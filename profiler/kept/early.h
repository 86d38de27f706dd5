/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Collectives whose rank may leave before all members are there, as far as the data flows (enum isp_flow of
 * call.h says what the scheduler then asks for). What this rank contributes is copied when it calls. Data
 * that goes in parts goes as plain messages; the collective itself is then never given to MPI.
 */
#ifndef PROF_EARLY_H
#define PROF_EARLY_H

#include <stdbool.h>

#include "operation.h"

struct prof_early;

/* Only when sends are buffered, and some flows. */
bool prof_early_is_needed(const struct prof_kept *kept);
/* When the operation is called: copies. */
void prof_early_create(struct prof_op *op);
void prof_early_destroy(struct prof_early *early);
/* What it has copied, and what has gone. */
struct prof_hash;
void prof_early_hash(struct prof_hash *hash, const struct prof_early *early);
/* The arguments to issue the collective with; NULL: its data went in parts, and nothing is to be issued. */
const void *prof_early_arguments(const struct prof_op *op);
/* PART_SEND or PART_RECV. All that was begun is over after prof_early_complete. */
void prof_early_part(struct prof_op *op, const struct isp_action *action);
void prof_early_complete(void);

#endif

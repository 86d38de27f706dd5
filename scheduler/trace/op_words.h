/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of docs/trace.md for what calls are: the column `op` of the table `kind`. */
#ifndef SCHED_TRACE_OP_WORDS_H
#define SCHED_TRACE_OP_WORDS_H

#include <stdint.h>

#include "poe/ancestors.h"

/* Of an enum isp_op; NULL if it has none. */
const char *sched_op_word(uint8_t op);
/* The enum isp_op; 0 if no op has this word, or it is NULL. */
uint8_t sched_op_of_word(const char *word);

/* What poe/ancestors.h wants to know of calls of a kind: the columns of the table `kind`, NULL as what stands
 * for none. The rank and what the call names is not there. */
struct sched_kind_numbers {
    int64_t thread, comm, peer, tag, flags;
};
struct poe_ancestor_call sched_ancestor_call(const char *op, const char *mode,
                                             const struct sched_kind_numbers *numbers);

#endif

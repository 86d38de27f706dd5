/* SPDX-License-Identifier: BSD-3-Clause */
/* The operations that MPI buffers in a run, though it need not (poe/kept.h), as text: rank.number of each, by
 * commas: "1.0,2.3". */
#ifndef SCHED_BUFFERED_H
#define SCHED_BUFFERED_H

#include <stdbool.h>
#include <stddef.h>

#include "poe/poe.h"

/* In order, each once. False: the text is no such list. Caller frees. */
bool sched_kept_read(const char *text, struct poe_name **kept, size_t *n);
/* Caller frees. */
char *sched_kept_write(const struct poe_name *kept, size_t n);

#endif

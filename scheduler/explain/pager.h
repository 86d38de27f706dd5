/* SPDX-License-Identifier: BSD-3-Clause */
/* Long text on a terminal, a screen at a time, as git does it. */
#ifndef SCHED_PAGER_H
#define SCHED_PAGER_H

#include <stdbool.h>
#include <stdio.h>

/* Calls `put` with stdout, or, if that is a terminal, with a pipe to the pager: $PAGER, else less, if it is
 * there. columns: of the terminal, 80 if it is none; colours: whether it shows them. */
void sched_pager_show(void (*put)(FILE *out, int columns, bool colours, const void *data), const void *data);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* How many columns of a terminal a text takes: of UTF-8, whatever the locale is. Control characters are
 * expected to be escaped. */
#ifndef SCHED_COLUMNS_H
#define SCHED_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

/* The bytes of the character at `at` (not its end), which takes *columns. What is not UTF-8 is one byte, and
 * one column. */
size_t sched_columns_step(const char *at, int *columns);
int sched_columns(const char *text);
/* The text, and spaces up to this many columns. */
void sched_columns_pad(FILE *out, const char *text, int columns);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines that end where the terminal does. */
#ifndef SCHED_WRAP_H
#define SCHED_WRAP_H

#include <stdbool.h>
#include <stdio.h>

/* Columns of the terminal that `out` is: what COLUMNS says, else what the terminal does. 0: it is none, or
 * nobody knows; then nothing is broken. */
int sched_terminal_columns(FILE *out);
/* It is a terminal, and neither NO_COLOR nor TERM=dumb forbids colours. */
bool sched_terminal_colours(FILE *out);
/* Puts one line (without \n at its end). If it is longer than `columns` it goes on in further ones that begin
 * with `hang` spaces; a row of columns, which have two spaces or more between them, is broken between two of
 * these if that fits. */
void sched_wrap_put(FILE *out, const char *line, int hang, int columns);

#endif

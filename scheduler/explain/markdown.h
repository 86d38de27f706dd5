/* SPDX-License-Identifier: BSD-3-Clause */
/* Our documentation on a terminal: headings, paragraphs, lists, code and tables of Markdown, in as many
 * columns as there are. */
#ifndef SCHED_MARKDOWN_H
#define SCHED_MARKDOWN_H

#include <stdbool.h>
#include <stdio.h>

/* Code is not broken. `colours`: headings are bold, and so on; without, the markup is just left out. */
void sched_markdown_put(FILE *out, const char *text, int columns, bool colours);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* `isp explain [RULE...]` and `isp --explain RULE`: the pages of docs/rules. */
#ifndef SCHED_EXPLAIN_H
#define SCHED_EXPLAIN_H

#include <stdio.h>

/* Writes the page as it is, in Markdown. NULL, or why it cannot; caller frees. */
char *sched_explain(const char *rule, FILE *out);
/* The command, for people: pages for the terminal, or, without a rule, one line about each. argv[0] is
 * "explain". The exit code. */
int sched_explain_command(int argc, char **argv);

#endif

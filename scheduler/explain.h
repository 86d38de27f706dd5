/* SPDX-License-Identifier: BSD-3-Clause */
/* `isp --explain RULE`: the page of a rule, docs/rules/RULE.md. */
#ifndef SCHED_EXPLAIN_H
#define SCHED_EXPLAIN_H

#include <stdio.h>

/* Writes the page. NULL, or why it cannot; caller frees. */
char *sched_explain(const char *rule, FILE *out);

#endif

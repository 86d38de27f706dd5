/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What comes before what on a rank, for the page: poe says it (poe/ancestors.h), here it becomes rows of the
 * table `before`. They are given node by node, as the tree is gone through: those of the node's own calls,
 * and again those of earlier calls of which a match in this node tells more.
 */
#ifndef SCHED_REPORT_PAGE_BEFORE_H
#define SCHED_REPORT_PAGE_BEFORE_H

#include "columns.h"
#include "poe/ancestors.h"

struct sched_page_before;

struct sched_page_before *sched_page_before_create(void);
void sched_page_before_destroy(struct sched_page_before *before);

/* The next call on the path, the row `row` of the table `call`. named: rows, or -1. */
void sched_page_before_call(struct sched_page_before *before, int32_t row, int64_t rank,
                            const struct poe_ancestor_call *kind, const int32_t *named, uint32_t n_named);
/* Rows of calls on the path. */
void sched_page_before_match(struct sched_page_before *before, int32_t send, int32_t receive);

/* A node begins: what sched_page_before_back forgets. */
struct poe_ancestors_mark sched_page_before_enter(struct sched_page_before *before);
/* It ends: its rows. */
void sched_page_before_write(struct sched_page_before *before, const struct poe_ancestors_mark *mark,
                             struct sched_page_table *table);
void sched_page_before_back(struct sched_page_before *before, const struct poe_ancestors_mark *mark);

#endif

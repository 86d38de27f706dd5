/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The large tables of the page (viewer/DATA.md): by columns of 32-bit numbers, each written as what it is
 * more than the one above it, then compressed. Rows are compressed as they come, so a table takes the memory
 * of its compressed form.
 */
#ifndef SCHED_REPORT_PAGE_COLUMNS_H
#define SCHED_REPORT_PAGE_COLUMNS_H

#include <stdint.h>
#include <stdio.h>

enum { SCHED_PAGE_COLUMNS = 12 };

struct sched_page_column;

struct sched_page_table {
    const char *name, *columns[SCHED_PAGE_COLUMNS + 1]; /* NULL at the end */
    uint32_t rows;
    struct sched_page_column *column[SCHED_PAGE_COLUMNS];
};

/* One number for each column. What 32 bits cannot hold becomes the nearest that they can. */
void sched_page_row(struct sched_page_table *table, const int64_t *values);
/* `"name":{"rows":N,"columns":{...}}`. No row can be added then. */
void sched_page_table_write(struct sched_page_table *table, FILE *out);
void sched_page_table_finish(struct sched_page_table *table);

#endif

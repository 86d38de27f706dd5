/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of one table that are only ever added at its end, of which there are very many: the leaf pages of the
 * table's b-tree, in SQLite's file format (https://www.sqlite.org/fileformat2.html, "B-tree Pages" and
 * "Record Format"). To make them takes a small part of what an INSERT takes, which is nearly all that a trace
 * costs.
 *
 * They lie in a file without a name, and are put into a database when no more rows come. Until then only one
 * page is in memory.
 */
#ifndef SCHED_TRACE_PAGES_H
#define SCHED_TRACE_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/* A column of a row: a number, or text (borrowed; NULL is SQL's NULL). */
struct sched_value {
    bool is_text;
    int64_t number;
    const char *text;
};

#define SCHED_NUMBER(n) ((struct sched_value){.number = (int64_t)(n)})
#define SCHED_TEXT(t) ((struct sched_value){.is_text = true, .text = (t)})

enum { SCHED_PAGES_COLUMNS = 16 }; /* at most */

struct sched_pages;

/* fd: an empty file, which is closed with the pages. page_bytes: of a page of the database, which reserves
 * none of them. has_id: the first column is an INTEGER PRIMARY KEY. */
struct sched_pages *sched_pages_create(int fd, unsigned page_bytes, bool has_id);
void sched_pages_destroy(struct sched_pages *pages);

/* The id of the last row, or 0. */
int64_t sched_pages_last(const struct sched_pages *pages);
/* Adds a row; its id, if it has one, must be above all before. 0, or: -E2BIG, the row is too long for a page;
 * -EINVAL, the id is none; another negative errno, the file cannot be written. */
int sched_pages_add(struct sched_pages *pages, const struct sched_value *values, int n);
/* Forgets all rows from this one on. 0, or a negative errno. */
int sched_pages_cut(struct sched_pages *pages, int64_t id);

/* Where pages go: page `number`, from 1. 0, or a negative errno. */
struct sched_pages_out {
    int (*write)(void *context, uint32_t number, const uint8_t *page, unsigned bytes);
    void *context;
};

/* Writes the table whose root is page `root`. Its other pages get the numbers from *next on, which is the
 * first one without a page afterwards. */
int sched_pages_put(struct sched_pages *pages, struct sched_pages_out out, uint32_t root, uint32_t *next);

#endif

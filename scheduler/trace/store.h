/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The database file of a trace while it is written: rows go in, one transaction, no journal. What fails first
 * is remembered, and from then on nothing is written any more.
 *
 * Calls, matches and members of collectives are nearly all rows. These come in the order of their ids, and
 * lie beside the database (pages.h) until it is finished: before, SQL does not see them.
 */
#ifndef SCHED_TRACE_STORE_H
#define SCHED_TRACE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "pages.h"
#include "schema.h"

struct sched_store;
struct sqlite3;

/* Without a file: a temporary one, in TMPDIR, which has no name any more and goes when isp does.
 * NULL, and why (caller frees), if the file cannot be made. */
struct sched_store *sched_store_create(const char *file, char **why);
/* It is written where it will be: nobody looks at it before. */
struct sched_store *sched_store_create_at(const char *file, char **why);
/* Where it is now. */
const char *sched_store_file(const struct sched_store *store);
void sched_store_destroy(struct sched_store *store);

void sched_store_row(struct sched_store *store, enum sched_table table, const struct sched_value *values,
                     int n);
/* The same for rows of numbers only, of which there are very many. A negative one for which `null` says so
 * (bit i) is NULL. */
void sched_store_numbers(struct sched_store *store, enum sched_table table, const int64_t *values, int n,
                         unsigned null);
/* The id that the next row of calls, matches or members will have at least. */
int64_t sched_store_next(const struct sched_store *store, enum sched_table table);
/* Forgets all rows of calls, matches or members from this id on. */
void sched_store_cut(struct sched_store *store, enum sched_table table, int64_t id);
/* Adds the rows that a query gives to calls, matches or members; the ids must rise. */
void sched_store_copy(struct sched_store *store, enum sched_table table, const char *sql,
                      const int64_t *values, int n);
/* SQL without results, with numbers for its parameters. */
void sched_store_run(struct sched_store *store, const char *sql, const int64_t *values, int n);
/* The first column of the first row, or `otherwise`. */
int64_t sched_store_ask(struct sched_store *store, const char *sql, const int64_t *values, int n,
                        int64_t otherwise);

/* Each row of a query with numbers for its parameters; its columns are numbers, NULL is -1. */
void sched_store_each(struct sched_store *store, const char *sql, const int64_t *values, int n,
                      void (*see)(const int64_t *row, void *context), void *context);
/* A number that a row with this text and this number has, or -1. */
int64_t sched_store_find(struct sched_store *store, const char *sql, const char *text, int64_t number);
/* The first column of the first row as text. */
char *sched_store_text(struct sched_store *store, const char *sql, const int64_t *values, int n);
/* Another database, whose tables are then called other.node ... False: it is none. */
bool sched_store_attach(struct sched_store *store, const char *file);
void sched_store_detach(struct sched_store *store);

/* Commits, and gives the file its name, if it is to have one. False, and why (caller frees), if that, or
 * anything before, has failed. */
bool sched_store_finish(struct sched_store *store, char **why);

/* What was finished, to be read; it lives as long as the store. NULL, and why (caller frees), if it cannot
 * be. */
struct sqlite3 *sched_store_read(struct sched_store *store, char **why);

#endif

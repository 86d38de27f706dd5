/* SPDX-License-Identifier: BSD-3-Clause */
#include "query.h"

#include <errno.h>
#include <stdlib.h>

sqlite3_stmt *sched_query(struct sched_asked *asked, const char *sql)
{
    sqlite3_stmt *query = NULL;
    if (sqlite3_prepare_v2(asked->trace, sql, -1, &query, NULL) != SQLITE_OK)
        asked->damaged = true;
    return query;
}

void sched_query_begin(sqlite3_stmt *query, int n, const int64_t *values)
{
    sqlite3_reset(query);
    for (int i = 0; i < n; i++)
        sqlite3_bind_int64(query, i + 1, values[i]);
}

bool sched_query_next(struct sched_asked *asked, sqlite3_stmt *query)
{
    int status = query ? sqlite3_step(query) : SQLITE_DONE;
    if (status == SQLITE_ROW)
        return true;
    if (status != SQLITE_DONE)
        asked->damaged = true;
    return false;
}

int64_t sched_query_number(sqlite3_stmt *query, int column, int64_t otherwise)
{
    return sqlite3_column_type(query, column) == SQLITE_NULL ? otherwise
                                                             : sqlite3_column_int64(query, column);
}

const char *sched_query_text(sqlite3_stmt *query, int column)
{
    return (const char *)sqlite3_column_text(query, column);
}

bool sched_query_list(const char **rest, int64_t *number)
{
    char *end;
    if (!*rest)
        return false;
    *number = strtoll(*rest, &end, 10);
    bool any = end != *rest;
    *rest = any ? end : NULL;
    return any;
}

int64_t sched_query_interleaving(struct sched_asked *asked, const char *choices, bool buffered, int64_t *node)
{
    sqlite3_stmt *query = sched_query(
        asked, "SELECT id, node FROM interleaving WHERE ?1 IS NULL OR (name = ?1 AND buffered = ?2)"
               " ORDER BY ending IS 'redundant', id LIMIT 1");
    int64_t id = -1;
    sqlite3_bind_text(query, 1, choices, -1, SQLITE_STATIC);
    sqlite3_bind_int(query, 2, buffered);
    if (sched_query_next(asked, query)) {
        id = sched_query_number(query, 0, -1);
        if (node)
            *node = sched_query_number(query, 1, -1);
    }
    sqlite3_finalize(query);
    return id;
}

int64_t sched_query_finding(struct sched_asked *asked, const json_t *finding, int64_t *node)
{
    const char *choices = json_string_value(json_object_get(finding, "interleaving"));
    return choices ? sched_query_interleaving(asked, choices,
                                              json_is_true(json_object_get(finding, "buffered")), node)
                   : -1;
}

bool sched_query_well(const struct sched_asked *asked, FILE *out)
{
    if (asked->damaged)
        errno = EBADMSG;
    return !asked->damaged && !ferror(out);
}

static int64_t pragma(struct sched_asked *asked, const char *sql)
{
    sqlite3_stmt *query = sched_query(asked, sql);
    int64_t value = sched_query_next(asked, query) ? sched_query_number(query, 0, 0) : 0;
    sqlite3_finalize(query);
    return value;
}

int64_t sched_query_most_rows(struct sched_asked *asked)
{
    enum { LEAST_ROW = 4 }; /* bytes */
    return pragma(asked, "PRAGMA page_count") * pragma(asked, "PRAGMA page_size") / LEAST_ROW;
}

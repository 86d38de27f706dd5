/* SPDX-License-Identifier: BSD-3-Clause */
/* One number from a database. */
#ifndef TEST_ASK_H
#define TEST_ASK_H

#include <sqlite3.h>

static inline int64_t ask(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *query;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &query, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    int64_t value = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return value;
}

#endif

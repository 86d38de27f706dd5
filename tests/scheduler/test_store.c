/* SPDX-License-Identifier: BSD-3-Clause */
/* The database of a trace: calls that are taken back, calls that are too long for a page, and files with and
 * without a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "ask.h"
#include "trace/store.h"

enum { CALLS = 5000, CUT = 3000, LONG = 40000 /* characters */, EACH = 700 /* -th call is long */ };

static void add_calls(struct sched_store *s, int from, int to, int rank)
{
    static char text[LONG + 1];
    memset(text, '1', LONG);
    for (int i = from; i < to; i++) {
        const struct sched_value row[] = {SCHED_NUMBER(i), SCHED_NUMBER(rank), SCHED_NUMBER(i),
                                          SCHED_NUMBER(1),
                                          SCHED_TEXT(i % EACH == 0 ? text
                                                     : i % 2       ? "1 2"
                                                                   : NULL)};
        const int64_t member[] = {i, rank, i};
        sched_store_row(s, SCHED_TABLE_CALL, row, 5);
        sched_store_numbers(s, SCHED_TABLE_MEMBER, member, 3, 0);
    }
}

static void fill(struct sched_store *s)
{
    add_calls(s, 1, CALLS, 0);
    assert_int_equal(sched_store_next(s, SCHED_TABLE_CALL), CALLS);
    sched_store_cut(s, SCHED_TABLE_CALL, CUT);
    sched_store_cut(s, SCHED_TABLE_MEMBER, CUT);
    assert_int_equal(sched_store_next(s, SCHED_TABLE_MEMBER), CUT);
    add_calls(s, CUT, CALLS, 1);
}

static void is_right(sqlite3 *db)
{
    assert_int_equal(ask(db, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM call"), CALLS - 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM call WHERE id = number AND rank = (id >= 3000)"),
                     CALLS - 1);
    assert_int_equal(ask(db, "SELECT count(*) FROM call WHERE length(requests) = 40000 AND id % 700 = 0"),
                     (CALLS - 1) / EACH);
    assert_int_equal(ask(db, "SELECT count(*) FROM call WHERE requests = '1 2' AND id % 2 = 1"), CALLS / 2);
    assert_int_equal(
        ask(db,
            "SELECT count(*) FROM member WHERE match = number AND rank = (match >= 3000) AND rowid = match"),
        CALLS - 1);
}

static void test_file(void **state)
{
    char folder[] = "/tmp/isp-store-XXXXXX", file[64], *why = NULL;
    sqlite3 *db;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/trace", folder);
    struct sched_store *s = sched_store_create(file, &why);
    fill(s);
    assert_int_equal(access(file, F_OK), -1);
    assert_true(sched_store_finish(s, &why));
    is_right(sched_store_read(s, &why));
    sched_store_destroy(s);
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    is_right(db);
    sqlite3_close(db);
    unlink(file);
    assert_int_equal(rmdir(folder), 0); /* nothing else is left */
}

static void test_nameless(void **state)
{
    char *why = NULL;
    struct sched_store *s = sched_store_create(NULL, &why);
    assert_int_equal(access(sched_store_file(s), F_OK), -1);
    fill(s);
    assert_true(sched_store_finish(s, &why));
    is_right(sched_store_read(s, &why));
    sched_store_destroy(s);
}

/* What fails first is told at the end. */
/* SQLite opens a file by its name, which isp has made: somebody may have put a link there meanwhile. */
static bool links;

int __real_sqlite3_open_v2(const char *file, sqlite3 **db, int flags, const char *vfs);
int __wrap_sqlite3_open_v2(const char *file, sqlite3 **db, int flags, const char *vfs);

int __wrap_sqlite3_open_v2(const char *file, sqlite3 **db, int flags, const char *vfs)
{
    char other[512];
    snprintf(other, sizeof other, "%s.other", file);
    if (links && (rename(file, other) != 0 || symlink(other, file) != 0))
        abort();
    int rc = __real_sqlite3_open_v2(file, db, flags, vfs);
    if (links && (unlink(other) != 0 || (access(file, F_OK) == 0 && unlink(file) != 0)))
        abort();
    return rc;
}

static void test_link(void **state)
{
    char folder[] = "/tmp/isp-store-XXXXXX", file[64], *why = NULL;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/trace", folder);
    links = true;
    assert_null(sched_store_create(file, &why));
    links = false;
    assert_non_null(why);
    free(why);
    assert_int_equal(rmdir(folder), 0);
}

static void test_error(void **state)
{
    char *why = NULL;
    struct sched_store *s = sched_store_create(NULL, &why);
    add_calls(s, 1, 10, 0);
    add_calls(s, 5, 6, 0);
    add_calls(s, 10, 20, 0);
    assert_false(sched_store_finish(s, &why));
    assert_non_null(why);
    free(why);
    sched_store_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_nameless),
        cmocka_unit_test(test_error),
        cmocka_unit_test(test_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

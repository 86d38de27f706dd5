/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables that isp writes page by page are what SQLite reads: every row, and PRAGMA integrity_check is
 * content. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <errno.h>
#include <sqlite3.h>

#include "ask.h"
#include "trace/pages.h"

struct database {
    char file[32];
    FILE *stream;
    unsigned page_bytes;
    uint32_t next;
    struct sched_pages *pages;
    uint32_t written[3]; /* the lowest page, the highest one, how many */
};

static void execute(sqlite3 *db, const char *sql)
{
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
}

/* An empty table t, the database's second page. */
static struct database begin(unsigned page_bytes, bool has_id)
{
    struct database d = {.file = "/tmp/isp-pages-XXXXXX", .page_bytes = page_bytes};
    char sql[64];
    sqlite3 *db;
    close(mkstemp(d.file));
    assert_int_equal(sqlite3_open(d.file, &db), SQLITE_OK);
    snprintf(sql, sizeof sql, "PRAGMA page_size = %u; PRAGMA auto_vacuum = NONE", page_bytes);
    execute(db, sql);
    execute(db, has_id ? "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT)"
                       : "CREATE TABLE t (id INTEGER, a INTEGER, b TEXT)");
    d.next = (uint32_t)ask(db, "PRAGMA page_count") + 1;
    assert_int_equal(ask(db, "SELECT rootpage FROM sqlite_schema"), 2);
    sqlite3_close(db);
    char spool[] = "/tmp/isp-pages-XXXXXX";
    d.pages = sched_pages_create(mkstemp(spool), page_bytes, has_id);
    unlink(spool);
    return d;
}

static int write_page(void *context, uint32_t number, const uint8_t *page, unsigned bytes)
{
    struct database *d = context;
    if (number != 2 && (!d->written[0] || number < d->written[0]))
        d->written[0] = number;
    if (number > d->written[1])
        d->written[1] = number;
    d->written[2]++;
    return pwrite(fileno(d->stream), page, bytes, ((off_t)number - 1) * bytes) == (ssize_t)bytes ? 0 : -EIO;
}

static sqlite3 *end(struct database *d)
{
    sqlite3 *db;
    d->stream = fopen(d->file, "r+");
    assert_int_equal(sched_pages_put(d->pages, (struct sched_pages_out){write_page, d}, 2, &d->next), 0);
    uint32_t count = d->next - 1;
    const uint8_t bytes[] = {(uint8_t)(count >> 24), (uint8_t)(count >> 16), (uint8_t)(count >> 8),
                             (uint8_t)count};
    pwrite(fileno(d->stream), bytes, 4, 28);
    fclose(d->stream);
    sched_pages_destroy(d->pages);
    assert_int_equal(sqlite3_open(d->file, &db), SQLITE_OK);
    execute(db, "PRAGMA journal_mode = OFF"); /* the file has no name any more */
    unlink(d->file);
    return db;
}

static void is_whole(sqlite3 *db)
{
    sqlite3_stmt *query;
    sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &query, NULL);
    assert_int_equal(sqlite3_step(query), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(query, 0), "ok");
    sqlite3_finalize(query);
}

/* ---- rows by their number ---- */

static int64_t number_of(int64_t i)
{
    uint64_t n = (UINT64_C(1) << i * 7 % 64) + (uint64_t)(i % 3) - 1;
    return (int64_t)(i % 2 ? n : -n);
}

/* Mostly short. */
static const char *text_of(int64_t i, unsigned page_bytes, char *room)
{
    size_t size = i % 5 == 0    ? 0
                  : i % 97 == 0 ? (size_t)(i % 3 ? page_bytes / 4 : page_bytes - 80)
                                : (size_t)(i % 23);
    memset(room, 'a' + (int)(i % 26), size);
    room[size] = '\0';
    return i % 7 ? room : NULL;
}

static void add(struct database *d, int64_t i, int64_t id)
{
    char room[70000];
    const struct sched_value row[] = {SCHED_NUMBER(id), SCHED_NUMBER(number_of(i)),
                                      SCHED_TEXT(text_of(i, d->page_bytes, room))};
    assert_int_equal(sched_pages_add(d->pages, row, 3), 0);
}

/* Of all lengths. */
static int64_t id_of(int64_t i) { return i * i * i * 1000 + 1 + (i > 800 ? INT64_C(1) << 61 : 0); }

static void has_rows(sqlite3 *db, int64_t n, unsigned page_bytes, bool has_id)
{
    char room[70000];
    sqlite3_stmt *query;
    sqlite3_prepare_v2(db, "SELECT rowid, id, a, b FROM t ORDER BY rowid", -1, &query, NULL);
    for (int64_t i = 0; i < n; i++) {
        assert_int_equal(sqlite3_step(query), SQLITE_ROW);
        assert_int_equal(sqlite3_column_int64(query, 0), has_id ? id_of(i) : i + 1);
        assert_int_equal(sqlite3_column_int64(query, 1), id_of(i));
        assert_int_equal(sqlite3_column_int64(query, 2), number_of(i));
        const char *wanted = text_of(i, page_bytes, room),
                   *text = (const char *)sqlite3_column_text(query, 3);
        if (wanted)
            assert_string_equal(text, wanted);
        else
            assert_null(text);
    }
    assert_int_equal(sqlite3_step(query), SQLITE_DONE);
    sqlite3_finalize(query);
}

static void test_read_back(void **state)
{
    static const unsigned sizes[] = {512, 16384, 65536};
    static const int64_t counts[] = {0, 1, 2, 30, 1000, 40000}; /* up to three levels */
    for (size_t s = 0; s < 3; s++)
        for (size_t c = 0; c < 6; c++)
            for (int has_id = 0; has_id < 2; has_id++) {
                struct database d = begin(sizes[s], has_id);
                for (int64_t i = 0; i < counts[c]; i++)
                    add(&d, i, id_of(i));
                sqlite3 *db = end(&d);
                is_whole(db);
                has_rows(db, counts[c], sizes[s], has_id);
                sqlite3_close(db);
            }
}

/* After a cut, rows are as if those behind it had never been; SQLite can add more, in between as well. */
static void test_cut(void **state)
{
    static const int64_t cuts[] = {0, 1, 5, 17, 300, 999, 1000};
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        struct database d = begin(512, true);
        for (int64_t i = 0; i < 1000; i++)
            add(&d, i, id_of(i));
        assert_int_equal(sched_pages_cut(d.pages, id_of(cuts[c])), 0);
        assert_int_equal(sched_pages_last(d.pages), cuts[c] ? id_of(cuts[c] - 1) : 0);
        for (int64_t i = cuts[c]; i < 1200; i++)
            add(&d, i, id_of(i));
        sqlite3 *db = end(&d);
        is_whole(db);
        has_rows(db, 1200, 512, true);
        execute(db, "INSERT INTO t SELECT id + 1, a, b || b FROM t WHERE id > 1");
        assert_int_equal(ask(db, "SELECT count(*) FROM t"), 2399);
        is_whole(db);
        sqlite3_close(db);
    }
}

static void test_refused(void **state)
{
    struct database d = begin(512, true);
    char text[600];
    memset(text, 'x', sizeof text);
    /* 1 + 1 + 1 + 2 bytes before it, and 1 for the number: 477, the most that a row may have without a second
     * page */
    text[471] = '\0';
    struct sched_value row[] = {SCHED_NUMBER(1), SCHED_NUMBER(5), SCHED_TEXT(text)};
    assert_int_equal(sched_pages_add(d.pages, row, 3), 0);
    text[471] = 'x';
    text[472] = '\0';
    row[0] = SCHED_NUMBER(2);
    assert_int_equal(sched_pages_add(d.pages, row, 3), -E2BIG);
    text[3] = '\0';
    row[0] = SCHED_NUMBER(1);
    assert_int_equal(sched_pages_add(d.pages, row, 3), -EINVAL);
    row[0] = SCHED_NUMBER(-7);
    assert_int_equal(sched_pages_add(d.pages, row, 3), -EINVAL);
    sqlite3 *db = end(&d);
    is_whole(db);
    assert_int_equal(ask(db, "SELECT length(b) FROM t"), 471);
    sqlite3_close(db);
}

/* Of a database of 1 GiB and more, one page is never used. */
static void test_lock_page(void **state)
{
    struct database d = begin(65536, true);
    const uint32_t lock = 0x40000000 / 65536 + 1;
    d.next = lock - 3;
    for (int64_t i = 0; i < 40000; i++)
        add(&d, i, id_of(i));
    sqlite3 *db = end(&d);
    assert_int_equal(d.written[0], lock - 3);
    assert_true(d.written[1] > lock);
    /* the root is another one, the lock's page none */
    assert_int_equal(d.written[2] - 1, d.written[1] - d.written[0]);
    has_rows(db, 40000, 65536, true);
    sqlite3_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read_back),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_lock_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

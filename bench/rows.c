/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row costs: a million calls of a ring, inserted by SQLite as fast as it does (64 rows of a statement,
 * no journal), and written as a trace's are (scheduler/trace/pages.c). Nanoseconds of processor time per row,
 * of each. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sqlite3.h>

#include "trace/pages.h"

enum { ROWS = 1 << 20, BATCH = 64, COLUMNS = 5, PAGE_BYTES = 16384 };

static double cpu_ns(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e9 +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e3;
}

static void fill(struct sched_value *row, int i)
{
    row[0] = SCHED_NUMBER(i + 1);
    row[1] = SCHED_NUMBER(i % 2);
    row[2] = SCHED_NUMBER(i / 2);
    row[3] = SCHED_NUMBER(1 + i % 6);
    row[4] = SCHED_TEXT(i % 3 == 2 ? "249996 249997" : NULL);
}

static void execute(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "%s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static double inserted_ns(const char *file)
{
    static char sql[BATCH * 16 + 64];
    sqlite3 *db;
    sqlite3_stmt *insert;
    size_t n = (size_t)sprintf(sql, "INSERT INTO call VALUES ");
    for (int i = 0; i < BATCH; i++)
        n += (size_t)sprintf(sql + n, "%s(?,?,?,?,?)", i ? "," : "");
    sqlite3_open(file, &db);
    execute(db, "PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
                "PRAGMA locking_mode = EXCLUSIVE; BEGIN;"
                "CREATE TABLE call (id INTEGER PRIMARY KEY, rank INTEGER, number INTEGER, kind INTEGER, "
                "requests TEXT)");
    double begun_ns = cpu_ns();
    sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &insert, NULL);
    for (int i = 0; i < ROWS; i++) {
        struct sched_value row[COLUMNS];
        fill(row, i);
        for (int k = 0; k < COLUMNS; k++) {
            int at = i % BATCH * COLUMNS + k + 1;
            if (!row[k].is_text)
                sqlite3_bind_int64(insert, at, row[k].number);
            else
                sqlite3_bind_text(insert, at, row[k].text, -1, SQLITE_STATIC); /* NULL is NULL */
        }
        if (i % BATCH == BATCH - 1) {
            sqlite3_step(insert);
            sqlite3_reset(insert);
        }
    }
    sqlite3_finalize(insert);
    execute(db, "COMMIT");
    double taken_ns = cpu_ns() - begun_ns;
    sqlite3_close(db);
    return taken_ns / ROWS;
}

static int write_page(void *context, uint32_t number, const uint8_t *page, unsigned bytes)
{
    return pwrite(*(int *)context, page, bytes, ((off_t)number - 1) * bytes) == (ssize_t)bytes ? 0 : -1;
}

/* With the time to put them into the database. */
static double written_ns(const char *spool, const char *file)
{
    int fd = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    uint32_t next = 3;
    double begun_ns = cpu_ns();
    struct sched_pages *pages =
        sched_pages_create(open(spool, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), PAGE_BYTES, true);
    for (int i = 0; i < ROWS; i++) {
        struct sched_value row[COLUMNS];
        fill(row, i);
        sched_pages_add(pages, row, COLUMNS);
    }
    sched_pages_put(pages, (struct sched_pages_out){write_page, &fd}, 2, &next);
    double taken_ns = cpu_ns() - begun_ns;
    sched_pages_destroy(pages);
    close(fd);
    return taken_ns / ROWS;
}

int main(void)
{
    char folder[] = "/tmp/bench-rows-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 1;
    double inserted = inserted_ns("database"), written = written_ns("spool", "pages");
    printf("%.0f %.0f\n", inserted, written);
    unlink("database");
    unlink("spool");
    unlink("pages");
    return rmdir(folder) == 0 ? 0 : 1;
}
